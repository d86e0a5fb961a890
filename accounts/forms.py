"""What people type about themselves, explained kindly where it cannot be taken."""

import unicodedata

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, SetPasswordForm
from django.contrib.auth.password_validation import (
    password_validators_help_texts,
    validate_password,
)
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.lockout import client_address, locked_until
from accounts.models import ApiToken, User


class NameField(forms.CharField):
    """A person's name: NFC, one line, and no character that cannot be seen."""

    def to_python(self, value):
        text = unicodedata.normalize("NFC", super().to_python(value))
        for character in text:
            if unicodedata.category(character) in {"Cc", "Cf", "Zl", "Zp"}:
                name = unicodedata.name(character, f"U+{ord(character):04X}")
                raise ValidationError(
                    gettext("The name holds a character that cannot be seen: %(name)s. Remove it."),
                    params={"name": name},
                )
        return text


class SignInForm(AuthenticationForm):
    """Username and password; says until when a locked account stays locked."""

    # The person whose page a dialog lies on: nobody else may take it over.
    expected_user = forms.IntegerField(required=False, widget=forms.HiddenInput)
    error_messages = {
        "invalid_login": _("Username and password do not match. Look at both and try again."),
        "inactive": _("This account is closed. Ask whoever runs this site to open it again."),
    }

    def clean(self):
        self.refuse_while_locked()
        try:
            super().clean()
        except ValidationError:
            self.refuse_while_locked()
            self.refuse_closed()
            raise
        self.refuse_somebody_else()
        return self.cleaned_data

    def refuse_while_locked(self):
        username = self.cleaned_data.get("username", "")
        until = locked_until(username=username, address=client_address(self.request))
        if until:
            raise ValidationError(locked_message(until), code="locked")

    def refuse_closed(self):
        """Tell who knows the password that the account is closed, and nobody else.

        Where no closed account has that name, the check takes as long and fails.
        """
        name, password = (self.cleaned_data.get(key, "") for key in ("username", "password"))
        closed = User.objects.filter(username=name, is_active=False).first() or User()
        if closed.check_password(password):
            raise ValidationError(self.error_messages["inactive"], code="inactive")

    def refuse_somebody_else(self):
        expected = self.cleaned_data.get("expected_user")
        if expected and self.get_user() and self.get_user().pk != expected:
            raise ValidationError(
                gettext(
                    "This page belongs to another person. Open the start page to sign in as "
                    "yourself."
                ),
                code="somebody_else",
            )


def locked_message(until):
    """Until when, and in how many minutes, since the person's clock may be in another zone."""
    minutes = int((until - timezone.now()).total_seconds() // 60) + 1
    wait = ngettext("%(minutes)d minute", "%(minutes)d minutes", minutes) % {"minutes": minutes}
    return gettext(
        "There were too many wrong passwords for this account from your address. You can try "
        "again at %(time)s, in %(wait)s, or ask your manager to unlock it."
    ) % {"time": date_format(timezone.localtime(until), "H:i e"), "wait": wait}


class AccountForm(forms.ModelForm):
    """What a person may change about themselves."""

    name = NameField(label=_("Name"), max_length=150, required=False)

    class Meta:
        model = User
        fields = ["name", "email", "language", "theme"]
        labels = {
            "email": _("E-mail address"),
            "language": _("Language"),
            "theme": _("Colours"),
        }

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = [("", _("as the browser asks")), *settings.LANGUAGES]


class ThemeForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ["theme"]


class NewAccountForm(forms.ModelForm):
    """Username, name and password of somebody who was invited."""

    name = NameField(label=_("Name"), max_length=150, required=False)
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    password_again = forms.CharField(
        label=_("Password again"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    class Meta:
        model = User
        fields = ["username", "name", "email"]
        labels = {"username": _("Username"), "email": _("E-mail address")}
        help_texts = {"username": _("Letters, digits and @ . + - _ only.")}
        error_messages = {"username": {"unique": _("This username is taken; choose another.")}}

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = " ".join(password_validators_help_texts())
        self.fields["username"].widget.attrs["autocomplete"] = "username"

    def clean_username(self):
        """As Django does at sign-in, so that what was typed here opens the account there."""
        return unicodedata.normalize("NFKC", self.cleaned_data["username"])

    def clean(self):
        cleaned = super().clean()
        password = cleaned.get("password")
        if password and password != cleaned.get("password_again"):
            self.add_error(
                "password_again", _("The two passwords differ; type the same one twice.")
            )
        return cleaned

    def _post_clean(self):
        """Django's own place for it: the name is known only after the model's fields are set."""
        super()._post_clean()
        if password := self.cleaned_data.get("password"):
            try:
                validate_password(password, user=self.instance)
            except ValidationError as error:
                self.add_error("password", error)


class NewPasswordForm(SetPasswordForm):
    """A new password, typed twice."""

    def __init__(self, user, *args, **kwargs):
        super().__init__(user, *args, **kwargs)
        self.fields["new_password1"].help_text = " ".join(password_validators_help_texts())


class ChangePasswordForm(NewPasswordForm):
    """A new password, given the old one."""

    old_password = forms.CharField(
        label=_("Old password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    field_order = ["old_password", "new_password1", "new_password2"]

    def clean_old_password(self):
        if not self.user.check_password(self.cleaned_data["old_password"]):
            raise ValidationError(gettext("This is not your old password; type it once more."))
        return self.cleaned_data["old_password"]


class TokenForm(forms.Form):
    """What a new API token is for."""

    name = NameField(
        label=pgettext_lazy("of a thing", "Name"),
        max_length=100,
        help_text=_("What the token is for: 'nightly export'."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("It may"), choices=ApiToken.Scope.choices, widget=forms.CheckboxSelectMultiple
    )
    days = forms.IntegerField(
        label=_("It ends after so many days"), min_value=1, max_value=366, initial=90
    )
