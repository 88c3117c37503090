"""Kernels, covariance operators, and the (regularised) kernel Renyi divergence, exact or estimated from samples."""

from krdtheory.kernels.covariance import Covariance, covariance
from krdtheory.kernels.kernels import Kernel, ProductKernel, median_bandwidth
from krdtheory.kernels.renyi import kernel_renyi, kernel_renyi_estimate

__all__ = [
    "Covariance",
    "Kernel",
    "ProductKernel",
    "covariance",
    "kernel_renyi",
    "kernel_renyi_estimate",
    "median_bandwidth",
]
