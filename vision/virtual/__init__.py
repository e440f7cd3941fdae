"""A table that exists only as numbers, drawn as a webcam would see it."""
