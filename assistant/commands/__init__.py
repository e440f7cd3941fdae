"""The commands of `floodwatch`, one module each; `assistant.cli` lists them."""
