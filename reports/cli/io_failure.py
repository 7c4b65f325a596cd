"""Tells failures of input and output (a full disk, no permission) from wrong usage."""

from __future__ import annotations

import errno

_WRONG_PATH = frozenset(
    {
        *(errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG),
        *(errno.ELOOP, errno.EINVAL, errno.EILSEQ),
    }
)
"""What the system says of a path that is wrong, whatever state the machine is in."""


def io_failure(error: BaseException | None) -> bool:
    """Say whether an error is, or was raised because of, a failure of input or output.

    A path that does not exist or names the wrong kind of thing is no such failure.
    """
    for _ in range(20):  # No complaint of ours has so many causes; a user's may go in a circle.
        if error is None:
            return False
        if isinstance(error, OSError) and error.errno is not None:
            return error.errno not in _WRONG_PATH
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return False
