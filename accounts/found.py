"""What each app adds to a shared duty, found by module and attribute name."""

from importlib import import_module

from django.apps import apps
from django.conf import settings
from django.utils.module_loading import module_has_submodule


def found(module, attribute):
    """The value of `attribute` of each of our apps that has it in `module`, lowest app first."""
    modules = [
        import_module(f"{config.name}.{module}")
        for config in apps.get_app_configs()
        if config.name in settings.OUR_APPS and module_has_submodule(config.module, module)
    ]
    return [getattr(module, attribute) for module in modules if hasattr(module, attribute)]
