"""What is left after each step of a localisation, and what was lost there."""

from collections import Counter
from dataclasses import dataclass, field

from datasets.records import LABELS

# read: as the files have them; abstracts: sets by whole pages; covered: sets with every title;
# merged: without sets that became equal; evidence: verdicts without any set went; translated:
# claims with a text; split: in a file.
STEPS = ("read", "abstracts", "covered", "merged", "evidence", "translated", "split")
MOST_TITLES = 200


@dataclass
class Losses:
    """claims: (step, label) -> claims left; sets: step -> evidence sets left; titles: in how many
    claims each missing title stood; lost: claims by reason."""

    claims: Counter = field(default_factory=Counter)
    sets: Counter = field(default_factory=Counter)
    titles: Counter = field(default_factory=Counter)
    lost: Counter = field(default_factory=Counter)

    def count(self, step: str, label: str, sets: int) -> None:
        """One more claim that is left after a step, with so many sets."""
        self.claims[step, label] += 1
        self.sets[step] += sets

    def steps(self) -> list[dict]:
        """Each step with what is left and what went since the step before, ready for JSON."""
        before, told = STEPS[0], []
        for step in STEPS:
            left = {label: self.claims[step, label] for label in LABELS}
            was = {label: self.claims[before, label] for label in LABELS}
            told.append(
                {
                    "step": step,
                    "claims": left,
                    "sets": self.sets[step],
                    "lost_claims": {label: was[label] - left[label] for label in LABELS},
                    "lost_sets": self.sets[before] - self.sets[step],
                }
            )
            before = step
        return told

    def as_report(self) -> dict:
        """missing_titles: the commonest, then by title, with the number of claims they are in."""
        commonest = sorted(self.titles.items(), key=lambda pair: (-pair[1], pair[0]))
        return {
            "steps": self.steps(),
            "lost": {name: self.lost[name] for name in REASONS},
            "missing_titles": {
                "titles": len(commonest),
                "commonest": [{"title": t, "claims": n} for t, n in commonest[:MOST_TITLES]],
            },
        }


# Verdicts that had no evidence to begin with; that lost all of it; claims without a translation,
# and with an empty one; claims that balance took away.
REASONS = (
    "without_evidence",
    "evidence_lost",
    "no_translation",
    "empty_translation",
    "label_balance",
)
