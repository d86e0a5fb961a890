"""A dataset in another language, by CsFEVER's scheme: claims translated, pages matched by title.

Source: Ullrich et al., "CsFEVER and CTKFacts: acquiring Czech data for fact verification"
(2023), section 3. Pure but for `options`, `running`, `translators` and `jobs`.
"""
