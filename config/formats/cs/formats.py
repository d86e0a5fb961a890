"""Czech dates as people write them: spaces after the dots, 24 hours."""

DATE_FORMAT = "j. E Y"
SHORT_DATE_FORMAT = "j. n. Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j. E Y, H:i"
SHORT_DATETIME_FORMAT = "j. n. Y, H:i"
MONTH_DAY_FORMAT = "j. E"
YEAR_MONTH_FORMAT = "F Y"
FIRST_DAY_OF_WEEK = 1
