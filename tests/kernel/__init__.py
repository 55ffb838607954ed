"""Tests of the kernel, without input or output."""
