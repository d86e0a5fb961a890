"""What pages of accounts say about events."""

from django import template

from accounts import verbs

register = template.Library()
register.filter("in_words", verbs.in_words)
