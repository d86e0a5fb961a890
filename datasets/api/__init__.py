"""Datasets over HTTP."""

from datasets.api import exports

URLS = exports.URLS
