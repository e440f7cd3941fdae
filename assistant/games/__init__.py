"""One folder per game; each offers a `KIT` that the machinery finds by itself."""
