"""What a motion did: figures of runs, measures for searches, windows, signals and failures."""
