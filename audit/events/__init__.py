"""Distinguishing events: rules learned from exploration samples, then frozen and applied."""
