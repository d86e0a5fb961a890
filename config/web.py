"""What `serve` runs in each web process: the application, and a thread that warms up indexes."""

from config.wsgi import application as application
from dictionaries.warming import start_warming

start_warming()
