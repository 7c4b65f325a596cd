"""What each command asks for, answers and shows; a folder for each of the larger ones."""
