// The CSRF token changes at sign-in, so it is read from the cookie at the moment of sending:
// a page that was drawn before then still sends the right one.

const FIELD = "csrfmiddlewaretoken";

export function csrfToken() {
  const cookie = document.cookie.split("; ").find((pair) => pair.startsWith("csrftoken="));
  return cookie ? decodeURIComponent(cookie.slice("csrftoken=".length)) : "";
}

export function refreshTokenFields(root = document) {
  const token = csrfToken();
  if (!token) return;
  for (const field of root.querySelectorAll(`input[name="${FIELD}"]`)) field.value = token;
}

function sendWithHtmx(event) {
  const token = csrfToken();
  const { headers, parameters, verb } = event.detail;
  if (!token || verb === "get") return;
  headers["X-CSRFToken"] = token;
  // Django looks at the field first, and a stale field would win over the header.
  if (parameters[FIELD] !== undefined) parameters[FIELD] = token;
}

export function startCsrf() {
  document.addEventListener("htmx:configRequest", sendWithHtmx);
  document.addEventListener("submit", (event) => refreshTokenFields(event.target), true);
}
