"""One run: its settings and records, its processes, its exit status."""
