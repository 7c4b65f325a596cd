"""Every option of every experiment: declared once with its domain, read and checked here."""
