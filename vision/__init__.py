"""What the camera sees: from a frame to an observation of the table."""
