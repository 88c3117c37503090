"""Conjectures of known truth, to measure the search: 60 false statements and 120 true ones.

They were written independently of the search and of the claims with which it was developed; neither was tuned to the
other.
"""
