"""The bar at the top of every page."""

from django import template

from annotation.models import Campaign

register = template.Library()


@register.inclusion_tag("components/nav.html", takes_context=True)
def site_nav(context):
    """The links of the bar; who runs a campaign also gets its people and jobs. One query."""
    request = context["request"]
    runs_something = request.user.is_superuser or Campaign.objects.managed_by(request.user).exists()
    return {"request": request, "runs_something": runs_something}
