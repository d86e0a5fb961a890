"""Agreement and cues over HTTP."""

from agreement.api import cues, figures

URLS = [*figures.URLS, *cues.URLS]
