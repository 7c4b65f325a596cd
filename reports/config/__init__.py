"""The configuration: audits by name in ``provado.toml`` or ``[tool.provado]`` of pyproject.toml."""
