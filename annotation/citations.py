"""Which articles the work of people rests on: a change of those needs leave."""

from annotation.models import Claim, EvidenceItem, OpenedArticle, Preselection


def cited_articles(article_ids):
    """Those of the articles that are a source, evidence, or were opened by an annotator."""
    ids = list(article_ids)
    cited = set(
        Preselection.objects.filter(paragraph__article__in=ids).values_list(
            "paragraph__article", flat=True
        )
    )
    cited |= set(
        Claim.objects.filter(source__article__in=ids).values_list("source__article", flat=True)
    )
    cited |= set(
        EvidenceItem.objects.filter(paragraph__article__in=ids).values_list(
            "paragraph__article", flat=True
        )
    )
    return cited | set(
        OpenedArticle.objects.filter(article__in=ids).values_list("article", flat=True)
    )
