"""The commands, one file each, found by walking this folder.

A file has the command's name, says in ``HELP`` and ``DESCRIPTION`` what it does and in ``EPILOG``
what its exit status means, and adds its arguments in ``add(parser)``; ``run(options)`` does it.
``cli.main`` imports only the files of commands that are run: what the others do is read from their
text.
"""
