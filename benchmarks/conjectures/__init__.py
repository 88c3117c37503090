"""Conjectures whose truth is known, to measure the search by: 60 false statements and 120 true ones.

They were written apart from the search and from the claims it was developed on; neither was tuned to the other.
"""
