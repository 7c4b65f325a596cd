"""``provado verify``: the ledger decided, in words, tables and JSON."""
