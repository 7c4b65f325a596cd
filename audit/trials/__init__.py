"""Trials: what is planned of them, how they are drawn and counted, and how counts are kept."""
