"""What a run draws, computes and executes: noise as linear forms, on a tape, with its lines."""
