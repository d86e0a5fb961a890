from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.views.i18n import set_language as django_set_language


@login_not_required
def sign_in(request):
    return HttpResponse("")


@login_not_required
def set_language(request):
    return django_set_language(request)
