"""A museum of real bugs: released versions with known flaws, and their successors, audited."""
