"""Packages of which nothing was audited, with the reason."""

LEFT_OUT = []
