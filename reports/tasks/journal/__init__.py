"""What a run keeps of itself while it draws, so that it can be gone on with."""

NAME = "audit.journal"
"""Of the file, in the folder of the reports."""
