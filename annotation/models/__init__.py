"""The models of annotation, split by noun."""

from annotation.models.campaigns import (
    Acknowledgement,
    Campaign,
    GuidelineVersion,
    Invitation,
    Membership,
    Participation,
    Role,
    Wave,
)
from annotation.models.claims import Claim, ClaimRevision, Mutation, Preselection, Report
from annotation.models.items import Instance, WaveItem
from annotation.models.labels import (
    Annotation,
    EvidenceItem,
    EvidenceSet,
    Label,
    instances_hidden_from,
)
from annotation.models.work import (
    Assignment,
    Draft,
    OpenedArticle,
    Operation,
    Task,
)

__all__ = [
    "Acknowledgement",
    "Annotation",
    "Assignment",
    "Campaign",
    "Claim",
    "ClaimRevision",
    "Draft",
    "EvidenceItem",
    "EvidenceSet",
    "GuidelineVersion",
    "Instance",
    "Invitation",
    "Label",
    "Membership",
    "Mutation",
    "OpenedArticle",
    "Operation",
    "Participation",
    "Preselection",
    "Report",
    "Role",
    "Task",
    "Wave",
    "WaveItem",
    "instances_hidden_from",
]
