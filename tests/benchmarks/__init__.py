"""Benchmarks: what is measured is frugal as the program itself is, from before numpy is loaded."""

from assistant.frugal import be_frugal

be_frugal()
