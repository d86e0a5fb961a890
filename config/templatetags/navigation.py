"""The bar at the top of every page."""

from django import template

register = template.Library()


@register.inclusion_tag("components/nav.html", takes_context=True)
def site_nav(context):
    """The links of the bar; who runs a campaign also gets its people and jobs. One query."""
    request = context["request"]
    return {"request": request, "runs_something": request.user.helps_people()}
