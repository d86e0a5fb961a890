"""What is typed in T1a and T1b. Texts stay as typed here; annotation.typed judges them."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.typed import typed_claim
from annotation.writing import MOST_CLAIMS
from corpus.texts import one_line

CLAIM_FIELDS = [f"claim-{number}" for number in range(1, MOST_CLAIMS + 1)]


class LineField(forms.Field):
    """A line that grows; whatever was typed in it is drawn again as it was."""

    def __init__(self, *, language, rows=1, **attributes):
        attributes = {"rows": rows, "class": "read", "data-line": "", "dir": "auto"} | attributes
        widget = forms.Textarea(attrs={"lang": language, "spellcheck": "true", **attributes})
        super().__init__(required=False, widget=widget)

    def to_python(self, value):
        return value or ""


class FormByNames(forms.Form):
    """A form drawn from the fields that were posted or drafted: {name: [values]}."""

    def __init__(self, fields):
        super().__init__({name: (values or [""])[0] for name, values in fields.items()})

    def refuse(self, error, names=None):
        """Show the ValidationError of a service at its fields, else above the form.

        names: {key in the error: name of the field}, where they differ.
        """
        for name, messages in by_field(error).items():
            field = (names or {}).get(name, name)
            self.add_error(field if field in self.fields else None, messages)


def by_field(error):
    return error.message_dict if hasattr(error, "error_dict") else {None: error.messages}


class ClaimsForm(FormByNames):
    """T1a: five lines for one claim each."""

    def __init__(self, fields, *, language):
        super().__init__(laid_out(fields))
        for number, name in enumerate(CLAIM_FIELDS, start=1):
            self.fields[name] = LineField(language=language, **{"data-key": f"Digit{number}"})

    @property
    def claims(self):
        """[(field's name, text)] of all lines that hold something, in order."""
        return [
            (name, line)
            for name in CLAIM_FIELDS
            for line in self.data.get(name, "").splitlines()
            if line.strip()
        ]

    @property
    def numbered(self):
        """[(line's number, text)] up to the last line that holds something."""
        typed = [self.data.get(name, "") for name in CLAIM_FIELDS]
        while typed and not typed[-1].strip():
            typed.pop()
        return list(enumerate(typed, start=1))

    def refuse_claims(self, error):
        """Show an error that names claims by their place among those typed."""
        places = enumerate(self.claims, start=1)
        self.refuse(error, {str(place): name for place, (name, _text) in places})


def laid_out(fields):
    """The fields with one claim in each, where several lines were typed into one of them.

    What is more than there are fields for stays in the last, so that nothing is lost.
    """
    typed = {name: (fields.get(name) or [""])[0] for name in CLAIM_FIELDS}
    if all(len(text.strip().splitlines()) <= 1 for text in typed.values()):
        return {name: [text] for name, text in typed.items()}
    lines = [line for text in typed.values() for line in text.splitlines() if line.strip()]
    lines += [""] * (len(CLAIM_FIELDS) - len(lines))
    cells = [*lines[: MOST_CLAIMS - 1], "\n".join(lines[MOST_CLAIMS - 1 :])]
    return {name: [text] for name, text in zip(CLAIM_FIELDS, cells, strict=True)}


class MutationsForm(FormByNames):
    """T1b: a field for each mutation type of the wave."""

    def __init__(self, fields, *, guides, parent):
        super().__init__(fields)
        self.parent = parent
        for number, guide in enumerate(guides, start=1):
            attributes = {"placeholder": " ", "data-key": f"Digit{number}"}
            field = LineField(language=parent.language, rows=2, **attributes)
            field.help_text = guide.description
            self.fields[str(guide.mutation)] = field

    @property
    def texts(self):
        """{mutation: text} of the fields that hold something."""
        typed = {name: self.data.get(name, "") for name in self.fields}
        return {name: text for name, text in typed.items() if text.strip()}

    def judge(self):
        """Whether it can be submitted: something was written, and nothing is the claim itself.

        Two equal mutations are only warned about.
        """
        if not self.texts:
            self.add_error(None, _("Write at least one mutation, or skip the claim."))
        for name, text in self.texts.items():
            if same_words(text) == same_words(self.parent.text):
                self.add_error(
                    name, _("This is the claim itself; change it, or leave the field empty.")
                )
        return self.is_valid()


def same_words(text):
    return one_line(text).casefold()


class ClaimForm(forms.Form):
    """A claim that its author changes."""

    def __init__(self, *args, claim, **kwargs):
        super().__init__(*args, **kwargs)
        field = LineField(language=claim.language, rows=2)
        field.label, field.required = gettext_lazy("Claim"), True
        field.error_messages["required"] = gettext_lazy("A claim needs a text.")
        self.fields["text"] = field
        self.parent = claim.parent

    def clean_text(self):
        text = self.cleaned_data["text"]
        try:
            text = typed_claim(text, field="text")
        except ValidationError as error:
            raise ValidationError(error.message_dict["text"]) from None
        if self.parent is not None and same_words(text) == same_words(self.parent.text):
            raise ValidationError(_("This is the claim that it was made from; change it."))
        return text
