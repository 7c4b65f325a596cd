"""``provado audit`` and what reads its reports again: recheck and redraw."""
