r"""Claims of "Quantum analog of differential privacy in term of Renyi divergence"."""
