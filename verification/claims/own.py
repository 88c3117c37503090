r"""Theorems of this project: what an audit rests on."""
