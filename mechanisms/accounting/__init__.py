"""What several private releases on the same data cost together."""
