"""The advisor: searches the round, samples the luck of the next, and says what it found with reasons."""
