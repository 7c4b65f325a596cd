"""Documents in JSON: their schemas, reading, writing, and what many documents hold.

The exit statuses are those of every command; README.md says what each means.
"""

AS_EXPECTED, SURPRISE, WRONG_USAGE, NOT_COMPLETED, IO_FAILED = 0, 1, 2, 3, 4
