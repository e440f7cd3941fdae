"""The virtual table: our own cards, board and pieces, drawn as a camera would see them."""
