"""Retrieval in Milvus, for corpora past one machine; see docs/decisions/0005.

What is large and searched, vectors and terms, lies in a collection of Milvus. What is small and
must be exact lies in files as the embedded backend's: rows in the order of time, by which ties,
copies and counts are told, the encoder, and how frequent terms are.
"""
