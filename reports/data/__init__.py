"""Documents in JSON: their schemas, reading, writing."""
