"""Special searches that found values of shipped controllers and can repeat them: `poise tune`."""
