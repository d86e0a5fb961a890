"""What each mutation type asks for: a description and an example, beside its field."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from annotation.models import Mutation

ORIGINAL = _("Torvik Steel closed its mill in Ostby in 2022.")


@dataclass(frozen=True)
class Guide:
    """description: what to do; example: what may become of ORIGINAL."""

    mutation: str
    description: str
    example: str

    @property
    def label(self):
        return Mutation(self.mutation).label


GUIDES = {
    guide.mutation: guide
    for guide in [
        Guide(
            Mutation.REPHRASE,
            _("Say the same in other words. It is true exactly when the claim is."),
            _("The mill of Torvik Steel in Ostby was shut down in 2022."),
        ),
        Guide(
            Mutation.NEGATE,
            _("Say the opposite. Do it without “not” or “never” where you can."),
            _("Torvik Steel kept its mill in Ostby running throughout 2022."),
        ),
        Guide(
            Mutation.SUBSTITUTE_SIMILAR,
            _("Replace a person, place, number or thing by another of the same kind."),
            _("Torvik Steel closed its mill in Hallen in 2022."),
        ),
        Guide(
            Mutation.SUBSTITUTE_DISSIMILAR,
            _("Replace one by something of another kind; it must still make sense."),
            _("Torvik Steel closed its museum in Ostby in 2022."),
        ),
        Guide(
            Mutation.GENERALISE,
            _("Say less: what you write must follow from the claim."),
            _("A steel company closed one of its mills in 2022."),
        ),
        Guide(
            Mutation.SPECIFY,
            _("Say more: the claim must follow from what you write."),
            _("Torvik Steel closed its mill in Ostby in March 2022."),
        ),
        Guide(
            Mutation.TENSE_SHIFT,
            _("Move it in time: what has happened is still to come, or the other way round."),
            _("Torvik Steel is going to close its mill in Ostby in 2022."),
        ),
    ]
}


def guides_of(wave):
    """The guides of the types that a wave asks for, in the papers' order."""
    return [guide for mutation, guide in GUIDES.items() if mutation in wave.mutations]
