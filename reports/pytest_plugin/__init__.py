"""The pytest plug-in: audits, sensitivity checks and ledger entries as tests.

``plugin`` is imported whenever pytest starts in an environment with provado, so it and what it
imports at its top (``settings``, ``state``) stay free of numpy
and its like; the other modules are imported when a test first asks for them.
"""
