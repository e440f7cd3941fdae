"""Where the camera stands, the light, the markers and the player's own cards."""
