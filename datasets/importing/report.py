"""What an import did, or would do: counts, broken rules, what is not in the corpus, errors."""

from collections import Counter
from dataclasses import dataclass, field

from datasets.readers.problems import Problem, printable
from datasets.readers.records import ReadClaim

MOST_ERRORS = 1000
MOST_NAMED = 1000
COUNTS = (
    "claims_new",
    "claims_same",
    "instances",
    "annotations",
    "annotations_same",
    "evidence_linked",
    "evidence_unresolved",
    "sets_linked",
    "sets_unresolved",
    "sources_linked",
    "sources_unresolved",
    "instances_unresolved",
    "bad",
)


@dataclass
class Report:
    """Counted over one pass. cited, sources: {id: whether it was found}, each id once."""

    counts: Counter = field(default_factory=Counter)
    violations: Counter = field(default_factory=Counter)
    cited: dict[str, bool] = field(default_factory=dict)
    sources: dict[str, bool] = field(default_factory=dict)
    unresolved: list[dict] = field(default_factory=list)
    errors: list[Problem] = field(default_factory=list)

    def add_problem(self, problem: Problem) -> None:
        self.counts["bad"] += 1
        if len(self.errors) < MOST_ERRORS:
            self.errors.append(problem)

    def note_cited(self, claim: ReadClaim, name: str, is_found: bool) -> None:
        if name not in self.cited:
            self.cited[name] = is_found
            self.name_unresolved(claim, name, is_found)

    def note_source(self, claim: ReadClaim, is_found: bool) -> None:
        if claim.source not in self.sources:
            self.sources[claim.source] = is_found
            self.name_unresolved(claim, claim.source, is_found)

    def name_unresolved(self, claim: ReadClaim, name: str, is_found: bool) -> None:
        """The line that first names what is not in the corpus."""
        if not is_found and len(self.unresolved) < MOST_NAMED:
            self.unresolved.append(
                {"file": claim.file, "line": claim.line, "id": printable(name[:200])}
            )

    @property
    def has_claims(self) -> bool:
        return bool(self.counts["claims_new"] or self.counts["claims_same"])

    @property
    def changes_nothing(self) -> bool:
        return not any(self.counts[name] for name in ("claims_new", "instances", "annotations"))

    def as_dict(self) -> dict:
        """Ready for JSON; evidence and sources are counted by their ids, each once."""
        found = Counter(self.cited.values())
        sources = Counter(self.sources.values())
        counts = {name: self.counts[name] for name in COUNTS}
        counts |= {"evidence_linked": found[True], "evidence_unresolved": found[False]}
        counts |= {"sources_linked": sources[True], "sources_unresolved": sources[False]}
        return {
            **counts,
            "violations": {name: n for name, n in sorted(self.violations.items()) if n},
            "unresolved": self.unresolved,
            "errors": [problem.as_dict() for problem in self.errors],
        }
