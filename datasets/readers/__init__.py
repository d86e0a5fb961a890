"""Dataset files of others and of ours as plain records, one module for each format. Pure."""
