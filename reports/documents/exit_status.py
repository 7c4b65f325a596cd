"""The exit statuses of every command; README.md says what each means."""

from collections.abc import Iterable

AS_EXPECTED, SURPRISE, WRONG_USAGE, NOT_COMPLETED, IO_FAILED = 0, 1, 2, 3, 4


def exit_status_of(*, surprising: bool, incomplete: bool) -> int:
    """Return the status of a run: an unexpected verdict first, then what is not completed."""
    return SURPRISE if surprising else NOT_COMPLETED if incomplete else AS_EXPECTED


def joined_status(statuses: Iterable[int]) -> int:
    """Return the status of several runs together."""
    result = set(statuses)
    return exit_status_of(surprising=SURPRISE in result, incomplete=NOT_COMPLETED in result)
