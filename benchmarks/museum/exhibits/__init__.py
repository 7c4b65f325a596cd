"""One file an exhibit, each with ``EXHIBIT``; the folder is walked."""
