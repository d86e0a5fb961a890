// A request of htmx that failed says so. Without a word people would wait, or think it stored.

function element() {
  return document.getElementById("failure");
}

export function showFailure(text) {
  const box = element();
  if (!box) return;
  box.querySelector("p").textContent = text;
  box.hidden = false;
}

function hide() {
  if (element()) element().hidden = true;
}

// What runs in the background, such as hints while somebody types, fails without a word.
function isBackground(event) {
  return event.detail.elt?.hasAttribute("data-background");
}

function unsent(event) {
  if (!isBackground(event)) showFailure(element()?.dataset.offline);
}

function refused(event) {
  const { status } = event.detail.xhr;
  if (status === 401 || isBackground(event)) return; // signin.js asks for the password
  const said = element()?.dataset;
  showFailure(said?.[String(status)] ?? said?.other);
}

export function startFailures() {
  document.addEventListener("htmx:sendError", unsent);
  document.addEventListener("htmx:timeout", unsent);
  document.addEventListener("htmx:responseError", refused);
  document.addEventListener("htmx:beforeRequest", (event) => isBackground(event) || hide());
  element()?.querySelector("button").addEventListener("click", hide);
}
