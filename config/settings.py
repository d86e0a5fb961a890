"""Settings: every one that differs between machines comes from the environment (.env.example)."""

import sys
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config import env

BASE_DIR = Path(__file__).resolve().parent.parent
environ.Env.read_env(BASE_DIR / ".env")

DEBUG = env.flag("DEBUG", default=False)
DATA_DIR = env.folder("DATA_DIR", default=BASE_DIR / "data")
DATABASES = {"default": env.database("DATABASE_URL", default=DATA_DIR / "claimwright.sqlite3")}
USES_POSTGRES = "postgresql" in DATABASES["default"]["ENGINE"]
SECRET_KEY = env.secret("SECRET_KEY", generated_in=DATA_DIR, required=USES_POSTGRES)
CELERY_BROKER_URL = env.broker("CELERY_BROKER_URL")  # empty: the worker of `serve` reads Job
RETRIEVAL_URL = env.retrieval("RETRIEVAL_URL")  # embedded, or where Milvus is
SENTENCE_MODEL = env.text("SENTENCE_MODEL")  # read again by dictionaries.encoders_extra
TRANSLATOR = env.text("TRANSLATOR")  # module.function, read by datasets.localising
ENCODING_HELPERS = env.whole("ENCODING_HELPERS", default=0)  # jobs beside the one that builds

PUBLIC_URL = env.origin("PUBLIC_URL", default="http://127.0.0.1:8000")
LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]
IS_HTTPS = PUBLIC_URL.scheme == "https"
ALLOWED_HOSTS = sorted({PUBLIC_URL.hostname, *LOOPBACK})
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL.geturl()]
TRUSTED_PROXIES = env.networks("TRUSTED_PROXIES")

# From the lowest to the highest: an app imports only from those before it.
OUR_APPS = [
    "accounts",
    "operations",
    "corpus",
    "dictionaries",
    "annotation",
    "agreement",
    "datasets",
]
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "csp",
    "axes",
    "rest_framework",
    "drf_spectacular",
    *OUR_APPS,
    "config",
]

MIDDLEWARE = [
    "config.middleware.TrustedProxyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.middleware.LanguageMiddleware",
    "config.middleware.SignedInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.PlainAddressMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "loaders": ["django.template.loaders.filesystem.Loader"]
            if DEBUG
            else [
                (
                    "django.template.loaders.cached.Loader",
                    ["django.template.loaders.filesystem.Loader"],
                )
            ],
        },
    }
]

# One Redis serves as broker and as cache; without one, counters live in the database.
if CELERY_BROKER_URL.startswith("redis"):
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": CELERY_BROKER_URL,
            "KEY_PREFIX": "claimwright",
        }
    }
else:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.db.DatabaseCache",
            "LOCATION": "cache",
            # Past it a third goes, whatever still counts; what has expired goes by the sweep.
            "OPTIONS": {"MAX_ENTRIES": 100_000},
        }
    }

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["username", "name", "email"]},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "accounts:sign-in"

# By account and address together, never by address alone: a class shares one address.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_HANDLER = "accounts.lockout.Handler"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = "accounts.lockout.cool_off"
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_LOCKOUT_CALLABLE = "accounts.lockout.keep_answer"
AXES_DISABLE_ACCESS_LOG = True
AXES_CLIENT_IP_CALLABLE = "accounts.lockout.client_address"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("cs", _("Czech"))]
FORMAT_MODULE_PATH = "config.formats"
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env.time_zone("TIME_ZONE", default="UTC")
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
# `serve` collects the static files first; before that, as in tests, the finders serve them.
_COLLECTED = (STATIC_ROOT / "staticfiles.json").exists() or "collectstatic" in sys.argv
WHITENOISE_USE_FINDERS = DEBUG or not _COLLECTED
_STATIC_STORAGE = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
    if WHITENOISE_USE_FINDERS
    else "whitenoise.storage.CompressedManifestStaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _STATIC_STORAGE},
}
MEDIA_ROOT = DATA_DIR / "uploads"
# What a backup copies; the rest of DATA_DIR is rebuilt.
KEPT_FOLDERS = ["exports", "releases", "uploads"]
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000  # an annotation has up to 20 sets of 50 items

SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_SECURE = IS_HTTPS
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_REDIRECT_EXEMPT = ["^healthz$"]  # a monitor on the machine itself asks without TLS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if IS_HTTPS else 0
# Whether the host's subdomains have TLS, and whether browsers list it for good, is not ours to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.tokens.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.tokens.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.parsing.StrictJSONParser"],
    "EXCEPTION_HANDLER": "config.errors.api_error",
    "DEFAULT_PAGINATION_CLASS": "config.pagination.Pages",
    "PAGE_SIZE": 100,
    "DEFAULT_THROTTLE_CLASSES": ["rest_framework.throttling.UserRateThrottle"],
    "DEFAULT_THROTTLE_RATES": {"user": env.rate("API_RATE", default="600/min")},
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Claimwright",
    "DESCRIPTION": "Read campaigns, claims, annotations and agreement; import; export.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "JobState": "operations.models.Job.State",
        "ImportState": "corpus.models.Import.State",
        "DictionaryState": "dictionaries.models.Dictionary.State",
        "DatasetImportState": "datasets.models.DatasetImport.State",
        "DatasetFormat": "datasets.models.imports.CHOICES",
        "ExportFormat": "datasets.options.FORMATS.items",
        "ResultKind": "datasets.models.ReleaseResult.Kind",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.openapi.add_errors",
    ],
}

CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "celerybeat-schedule")
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "operations.tasks.sweep_task", "schedule": 60}}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler", "stream": sys.stderr}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"axes": {"level": "ERROR"}},
}
