"""``provado report``: computes a report again from its counts, or draws it again from its seeds."""
