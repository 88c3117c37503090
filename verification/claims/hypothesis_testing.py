r"""Claims of the appendix of "Hypothesis Testing Interpretations and Renyi Differential Privacy"."""
