"""Translated claims judged anew by people, without the label that their dataset gives them."""
