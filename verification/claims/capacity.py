r"""Claims of "Capacity Bounded Differential Privacy"."""
