"""Documents in JSON: their schemas, reading, writing, and what many documents hold."""
