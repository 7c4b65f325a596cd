"""Exit statuses of every command; README.md says what each means."""

AS_EXPECTED, SURPRISE, WRONG_USAGE, NOT_COMPLETED, IO_FAILED = 0, 1, 2, 3, 4
