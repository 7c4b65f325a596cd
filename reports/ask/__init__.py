"""What a user asks for: options, targets, datasets, columns, names."""
