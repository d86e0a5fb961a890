"""Releases: named states of a dataset that never change, with their files, figures and card."""
