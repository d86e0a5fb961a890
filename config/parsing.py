"""How the HTTP API reads what clients send: strict JSON of a bearable size."""

from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser

from corpus.readers.jsonl import DECODER

MOST_BYTES = 20_000_000


class TooLarge(APIException):
    status_code = 413
    default_detail = f"The request is larger than {MOST_BYTES // 10**6} MB; send it in parts."
    default_code = "too_large"


class StrictJSONParser(JSONParser):
    """JSON in UTF-8 as the readers of files take it: each key once, finite numbers, no bombs."""

    def parse(self, stream, media_type=None, parser_context=None):
        body = stream.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise TooLarge
        try:
            return DECODER.decode(body.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise ParseError(f"The request is not UTF-8; byte {error.start} is wrong.") from None
        except RecursionError:
            raise ParseError("The JSON is nested too deeply; flatten it.") from None
        except ValueError as error:
            raise ParseError(f"The request is no JSON that can be read: {error}.") from None
