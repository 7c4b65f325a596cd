"""Following a query through its steps: what stands for data, and how far neighbors move it."""
