"""What makes an answer ``unknown``: state between calls, shared draws, processes that differ."""
