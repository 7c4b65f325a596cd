"""The commands, one file each, found by walking this folder: ``add(subparsers)`` registers one."""
