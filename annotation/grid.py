"""The evidence grid: which cells to draw for a scope and the sheet on it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.reading import Reading


@dataclass(frozen=True)
class Cell:
    """One checkbox: this paragraph in the set of this column; the last column is a new set."""

    number: int
    checked: bool
    is_new: bool
    name: str


@dataclass(frozen=True)
class GridRow:
    paragraph: object
    cells: list[Cell]
    newest_of: str

    @property
    def is_chosen(self):
        return any(cell.checked for cell in self.cells)


@dataclass(frozen=True)
class GridArticle:
    entry: object
    rows: list[GridRow]
    is_open: bool

    @property
    def found_by(self):
        """Why it is here, each reason once: the names searched for, or likeness."""
        return Reading(self.entry, is_rest=False).found_by


def draw_grid(scope, sheet):
    """The articles of the scope, in its order; the source and what is cited stand open."""
    newest = newest_of_sets(scope, sheet)
    columns = columns_of(sheet)
    return [_draw_article(entry, columns, newest) for entry in scope.articles]


def columns_of(sheet):
    """[(number, ids of the paragraphs that are ticked in it, is it new, how its cells are named)].

    A long scope has ten thousands of cells, so what they share is found once.
    """
    last = sheet.drawn_columns
    in_set, in_new = _("Paragraph %(rank)s in set %(number)s"), _("Paragraph %(rank)s in a new set")
    return [
        (
            number,
            sheet.whole_paragraphs(number),
            number == last,
            in_new if number == last else in_set,
        )
        for number in range(1, last + 1)
    ]


def newest_of_sets(scope, sheet):
    """{paragraph id: [set number]}: the newest paragraph of each set of two or more."""
    paragraphs = {each.pk: each for entry in scope.articles for each in entry.paragraphs}
    newest = {}
    for number, items in sorted(sheet.sets.items()):
        cited = [paragraphs[pk] for pk, _ in items if pk in paragraphs]
        if len(cited) > 1 and all(each.available_at for each in cited):
            winner = max(cited, key=lambda each: (each.available_at, each.pk))
            newest.setdefault(winner.pk, []).append(number)
    return newest


def _draw_article(entry, columns, newest):
    rows = [_draw_row(paragraph, columns, newest) for paragraph in entry.paragraphs]
    is_open = entry.is_source or entry.is_opened or any(row.is_chosen for row in rows)
    return GridArticle(entry=entry, rows=rows, is_open=is_open)


def _draw_row(paragraph, columns, newest):
    cells = [
        Cell(
            number,
            paragraph.pk in ticked,
            is_new,
            name % {"rank": paragraph.rank, "number": number},
        )
        for number, ticked, is_new, name in columns
    ]
    sets = ", ".join(str(number) for number in newest.get(paragraph.pk, []))
    return GridRow(paragraph=paragraph, cells=cells, newest_of=sets)
