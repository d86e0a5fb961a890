"""How fast a person may read the texts of corpora."""

from rest_framework.throttling import UserRateThrottle


class ReadingThrottle(UserRateThrottle):
    """READING_RATE for each person, all corpora together: none is to be copied out."""

    scope = "reading"
