"""Errors that a user can cause: each names the object, the value and the rule that it broke."""


class UsageError(ValueError):
    """An argument, dataset or configuration breaks a stated rule; the message names all three."""


class NotNeighborsError(UsageError):
    """Two datasets are not neighbors under the relation that was given for them."""
