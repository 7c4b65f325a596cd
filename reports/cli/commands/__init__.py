"""The commands, one file each, found by walking this folder.

A file has the command's name, says in ``HELP`` what it does, and registers it in
``add(subparsers)``. ``cli.main`` imports only the files of commands that are run: what the others
do is read from their text.
"""
