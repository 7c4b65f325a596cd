"""One file a format, found by walking this folder; its name is the format's.

``FILE`` is the name that its file gets in a folder. ``render(run, differences)`` returns the text.
"""
