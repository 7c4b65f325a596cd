"""What this project's own audit rests on: guesses, bets and counts."""
