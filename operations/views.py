from django.contrib.auth.decorators import login_not_required
from django.http import JsonResponse


@login_not_required
def health(request):
    return JsonResponse({})
