"""The program's memory: games as numbered events in a database, and all that is told from them later."""
