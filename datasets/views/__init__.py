"""The pages of datasets."""
