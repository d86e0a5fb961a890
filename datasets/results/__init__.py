"""What is reached on a release: baselines of our own, and predictions of others' models."""
