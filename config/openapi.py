"""What the OpenAPI document says of every call: how it answers when it cannot do what was asked."""

ERROR = {
    "type": "object",
    "description": "What is wrong, in a sentence.",
    "properties": {"detail": {"type": "string"}},
    "required": ["detail"],
}
FIELD_ERRORS = {
    "type": "object",
    "description": "What is wrong: `detail`, or for each field a list of sentences.",
    "additionalProperties": {},
}
FOR_ALL = {
    "401": "You are not signed in, or the token has ended.",
    "403": "The token lacks a scope, or the session its CSRF token.",
    "404": "There is no such thing, or it is not open to you.",
    "429": "Too many requests; Retry-After says when to try again.",
}
FOR_BODIES = {
    "413": "The request is too large.",
    "415": "The request is not JSON.",
}


def add_errors(result, generator, request, public):
    """A postprocessing hook of drf-spectacular: each operation with its answers to mistakes."""
    result["components"]["schemas"] |= {"Error": ERROR, "FieldErrors": FIELD_ERRORS}
    for operations in result["paths"].values():
        for operation in operations.values():
            add_errors_to(operation)
    return result


def add_errors_to(operation):
    known = FOR_ALL | (FOR_BODIES if "requestBody" in operation else {})
    answers = {status: answer(text, "Error") for status, text in known.items()}
    answers["400"] = answer("What was sent cannot be used.", "FieldErrors")
    operation["responses"] = dict(sorted({**answers, **operation["responses"]}.items()))


def answer(text, schema):
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {"description": text, "content": content}
