"""Broken twins: mechanisms that do not keep the promise they state. An audit must say so."""
