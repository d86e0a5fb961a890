"""What people choose on the pages of datasets."""
