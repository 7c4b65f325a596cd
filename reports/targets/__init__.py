"""What a user names: targets, datasets, columns, claims, and the types of options."""
