"""What a signed-out browser sent: kept in its session until the same page is drawn again."""

KEY = "unsent"  # written by config.middleware.SignedInMiddleware


def take_unsent(request):
    """The fields ({name: [values]}) that were sent to this page while signed out, once."""
    unsent = request.session.get(KEY)
    if not unsent or unsent["path"] != request.path:
        return None
    del request.session[KEY]
    return unsent["fields"]
