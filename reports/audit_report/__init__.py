"""The report of an audit: its page, its JSON document, its other formats, its baseline."""
