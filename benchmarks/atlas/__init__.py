"""An atlas of released libraries for differential privacy: what they promise, audited."""
