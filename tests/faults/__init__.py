"""Games played on the virtual table while things go wrong: `python -m tests.faults`."""
