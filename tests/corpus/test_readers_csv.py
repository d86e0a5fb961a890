import csv
import io
import json
import tarfile

import pytest

from corpus.readers.csv import read_rows
from corpus.readers.files import Lines
from corpus.records import ReadOptions
from tests.corpus.reading import articles_of, one_reason, read_all, read_text
from tests.shared import shared_data

HEADER = "id,title,published_at,text\n"
ROW = "a1,A bridge,2019-05-07,It opened.\n"


def read_csv(folder, content, name="news.csv", **options):
    return read_text(folder, content, name=name, format="csv", **options)


def test_a_header_names_the_columns_and_unknown_ones_are_passed_over(tmp_path):
    content = " text ,other,id,published_at,keywords\nIt opened.,x,a1,2019-05-07,bridge; mayor\n"

    (article,) = read_csv(tmp_path, content)

    assert (article.external_id, article.line) == ("a1", 2)
    assert article.keywords == ("bridge", "mayor")


def test_line_ends_and_doubled_quotes_inside_quotes_belong_to_the_field(tmp_path):
    content = HEADER + 'a1,"A ""new"" bridge",2019-05-07,"It opened.\r\n\r\nIt rained."\r\n' + ROW

    first, second = read_csv(tmp_path, content.replace("a1,A", "a2,A"))

    assert first.title == 'A "new" bridge'
    assert [p.text for p in first.paragraphs] == ["It opened.", "It rained."]
    assert (first.line, second.line) == (2, 5)


def test_given_names_delimiter_and_quote_are_used(tmp_path):
    content = "a1;2019-05-07;'It; opened.'\n"

    (article,) = read_csv(
        tmp_path, content, delimiter=";", quote="'", header=("id", "published_at", "text")
    )

    assert article.paragraphs[0].text == "It; opened."


@pytest.mark.parametrize("name", ["news.tsv", "NEWS.TSV.gz", "news.tab"])
def test_a_tsv_file_is_divided_by_tabs(tmp_path, name):
    (article,) = read_csv(tmp_path, (HEADER + ROW).replace(",", "\t"), name=name)

    assert article.title == "A bridge"


def test_without_quotes_a_quote_is_a_character(tmp_path):
    content = 'id\ttext\na1\t"It opened.\n'

    (article,) = read_csv(tmp_path, content, delimiter="\t", quote="", undated=True)

    assert article.paragraphs[0].text == '"It opened.'


def test_where_no_column_is_an_id_the_record_is_numbered_by_its_file(tmp_path):
    content = "text\nOne.\n\nTwo.\n"

    records = read_csv(tmp_path, content, name="week.csv", undated=True)

    assert [a.external_id for a in records] == ["week-1", "week-2"]


def test_rows_with_article_and_rank_are_paragraphs(tmp_path):
    content = "article,rank,published_at,text\na1,2,2019-05-07,Two.\na1,5,2019-05-07,Five.\n"

    (article,) = read_csv(tmp_path, content)

    assert [(p.rank, p.text) for p in article.paragraphs] == [(2, "Two."), (5, "Five.")]


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("", 0, "the file is empty"),
        ("id;published_at;text\n", 1, "columns are id;published_at;text; is the delimiter right?"),
        ("id,published_at,body\n", 1, "no column 'text' for text; the columns are id, pub"),
        ("id,text\n", 1, "no column 'published_at'"),
        ("id,id,text,published_at\n", 1, "two columns are named 'id'"),
        (HEADER + 'a1,A,2019-05-07,"It opened.\n' + ROW, 2, "a quote is opened here"),
    ],
)
def test_a_file_that_cannot_be_divided_is_one_line(tmp_path, content, line, reason):
    (problem,) = read_csv(tmp_path, content)

    assert (problem.line, problem.stops_file) == (line, True)
    assert reason in problem.reason


@pytest.mark.parametrize(
    ("content", "line", "column", "excerpt"),
    [
        ("text,id,id,paragraph_id\n", 1, 9, "text,id,id,paragraph_id"),
        ('"text",date,"id, id","id, id"\n', 1, 22, 'text",date,"id, id","id, id"'),
        ('id,text,"the\ndate",title,id\n', 2, 13, 'date",title,id'),
    ],
)
def test_a_name_that_stands_twice_is_shown_where_it_stands_again(
    tmp_path, content, line, column, excerpt
):
    (problem,) = read_csv(tmp_path, content)

    assert (problem.line, problem.column, problem.excerpt) == (line, column, excerpt)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("a0,A bridge,2019-05-07\n", "3 fields where the header has 4"),
        ('a0,"A" bridge,2019-05-07,It opened.\n', "a quote ends before its field"),
        ("a0,A\0,2019-05-07,It opened.\n", "is NUL"),
        ("a0,A,7/5/2019,It opened.\n", "ambiguous"),
        (",A,2019-05-07,It opened.\n", "id is empty"),
    ],
)
def test_a_bad_row_is_named_and_the_next_one_read(tmp_path, row, reason):
    problem, article = read_csv(tmp_path, HEADER + row + ROW)

    assert problem.line == 2
    assert reason in problem.reason
    assert article.external_id == "a1"


def test_a_mapping_to_a_column_that_is_not_there_is_refused(tmp_path):
    reason = one_reason(read_csv(tmp_path, HEADER + ROW, mapping={"id": "guid"}))

    assert reason.startswith("no column 'guid' for id")


def test_a_field_over_the_limit_is_refused_by_its_line(tmp_path):
    content = HEADER + 'a1,A,2019-05-07,"' + "x\n" * 5_500_000 + '"\n'

    (problem,) = read_csv(tmp_path, content)

    assert (problem.line, problem.stops_file) == (2, True)
    assert "larger than 10 MB" in problem.reason


def spectrum():
    """(name, bytes of the CSV file, what it holds) for every case of csv-spectrum."""
    with tarfile.open(shared_data("messy", "csv-spectrum.tar.xz")) as archive:
        names = [n for n in archive.getnames() if n.startswith("csvs/") and n.endswith(".csv")]
        for name in sorted(names):
            stem = name.removeprefix("csvs/").removesuffix(".csv")
            expected = json.load(archive.extractfile(f"json/{stem}.json"))
            rows = expected if isinstance(expected, list) else [expected]
            yield stem, archive.extractfile(name).read(), rows


def comparable(row):
    """A row with LF line ends, as texts have, and without the one column that differs there."""
    return {k: v.replace("\r\n", "\n") for k, v in row.items() if k != "Contact Phone Number"}


def test_every_case_of_csv_spectrum_is_read_as_it_should_be():
    cases = list(spectrum())

    assert len(cases) == 12
    for name, content, expected in cases:
        first_column = next(csv.reader(io.StringIO(content.decode())))[0]
        options = ReadOptions(format="csv", undated=True, mapping={"text": first_column})
        rows = [row.values for row in read_rows(Lines(io.BytesIO(content)), name, options)]
        found = [comparable({column: row[column] for column in expected[0]}) for row in rows]
        assert found == [comparable(row) for row in expected], name


def test_the_german_articles_are_read_without_header_dates_and_ids():
    path = shared_data("gnad10k", "test.csv.gz")

    records = read_all(
        path, format="csv", undated=True, delimiter=";", quote="'", header=("section", "text")
    )

    assert len(records) == len(articles_of(records)) == 1_028
    assert records[0].section == "Wirtschaft"
    assert records[0].external_id == "test-1"
    assert {record.published_at for record in records} == {None}


def test_the_university_news_are_read_in_three_languages():
    records = read_all(
        shared_data("uni_news", "Dataset.csv.gz"),
        format="csv",
        undated=True,
        mapping={"text": "content", "url": "link"},
    )

    assert len(records) == len(articles_of(records)) == 1_389
    assert {record.language for record in records} == {"en", "ku", "ar"}


def test_wikinews_is_read_with_days_and_quoted_line_ends():
    records = read_all(
        shared_data("wikinews", "wikinews_2019.csv.gz"),
        format="csv",
        mapping={"id": "url", "published_at": "date"},
    )

    assert len(records) == len(articles_of(records)) == 171
    assert all(record.is_day and len(record.paragraphs) > 1 for record in records)
