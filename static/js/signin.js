// A session that ran out costs nothing that was typed: the page stays, a dialog signs the same
// person in again, and the request that met the closed door is sent once more.

import { csrfToken, refreshTokenFields } from "./csrf.js";
import { openDialog } from "./dialog.js";
import { showFailure } from "./failures.js";

export class SignedOut extends Error {
  constructor() {
    super(dialogElement()?.dataset.closed ?? "signed out");
    this.name = "SignedOut";
  }
}

let pending = null; // one dialog serves all requests that wait
let wasDismissed = false; // then requests in the background do not ask again

function dialogElement() {
  return document.getElementById("sign-in-dialog");
}

function isSignedOut(status, header) {
  return status === 401 && (header ?? "").includes("signed-out");
}

/** fetch() with the CSRF header; signs in and repeats where the session had run out.

patience: after how many milliseconds without an answer it counts as failed. */
export async function request(url, { background = false, headers = {}, patience, ...options } = {}) {
  const send = () => {
    refreshBody(options.body);
    const own = { "HX-Request": "true", "X-CSRFToken": csrfToken() };
    const signal = patience && AbortSignal.timeout(patience);
    return fetch(url, { credentials: "same-origin", signal, ...options, headers: { ...own, ...headers } });
  };
  const response = await send();
  if (!isSignedOut(response.status, response.headers.get("HX-Trigger"))) return response;
  await signIn({ background });
  return send();
}

// Django looks at a form's own field first; it may hold the token of an older session.
function refreshBody(body) {
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  if (isForm && body.has("csrfmiddlewaretoken")) body.set("csrfmiddlewaretoken", csrfToken());
}

/** Resolves once the person is signed in again; rejects with SignedOut if they close the dialog. */
export function signIn({ background = false } = {}) {
  if (pending) return pending;
  const dialog = dialogElement();
  if (!dialog || (background && wasDismissed)) return Promise.reject(new SignedOut());
  pending = new Promise((resolve, reject) => ask(dialog, resolve, reject)).finally(() => {
    pending = null;
  });
  return pending;
}

function ask(dialog, resolve, reject) {
  const form = dialog.querySelector("form");
  const onSubmit = async (event) => {
    event.preventDefault();
    const problems = await trySignIn(dialog, form);
    showProblems(form, problems);
    if (problems.length) return;
    dialog.returnValue = "signed-in";
    dialog.close();
  };
  form.addEventListener("submit", onSubmit);
  dialog.addEventListener("close", () => {
    form.removeEventListener("submit", onSubmit);
    settle(dialog, resolve, reject);
  }, { once: true });
  dialog.returnValue = "";
  showProblems(form, []);
  openDialog(dialog);
}

function settle(dialog, resolve, reject) {
  dialog.querySelector("[name=password]").value = "";
  wasDismissed = dialog.returnValue !== "signed-in";
  if (wasDismissed) return reject(new SignedOut());
  refreshTokenFields();
  document.dispatchEvent(new CustomEvent("signed-in"));
  resolve();
}

async function trySignIn(dialog, form) {
  const button = form.querySelector("button:not([type=button])");
  button.disabled = true;
  try {
    const response = await postCredentials(form);
    // Nothing to show means a good password; what comes instead explains the refusal.
    if (response.status === 204) return [];
    return problemsIn(await response.text(), dialog.dataset.refused);
  } catch {
    return [dialog.dataset.failed];
  } finally {
    button.disabled = false;
  }
}

function postCredentials(form) {
  const body = new URLSearchParams(new FormData(form));
  body.delete("csrfmiddlewaretoken");
  return fetch(form.action, {
    method: "POST",
    body,
    credentials: "same-origin",
    headers: { "HX-Request": "true", "X-CSRFToken": csrfToken() },
  });
}

function problemsIn(html, otherwise) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const said = [...page.querySelectorAll(".errorlist li")].map((item) => item.textContent.trim());
  return said.length ? said : [otherwise];
}

function showProblems(form, problems) {
  const list = form.querySelector(".errorlist");
  list.replaceChildren(
    ...problems.map((text) => Object.assign(document.createElement("li"), { textContent: text })),
  );
  list.hidden = !problems.length;
  if (problems.length) form.querySelector("[name=password]").select();
}

async function repeatWithHtmx(event) {
  const { xhr, requestConfig, etc, select } = event.detail;
  if (!isSignedOut(xhr.status, xhr.getResponseHeader("HX-Trigger"))) return;
  const { verb, path, elt, target, formData, triggeringEvent } = requestConfig;
  const background = elt.hasAttribute("data-background");
  try {
    await signIn({ background });
  } catch (error) {
    if (!(error instanceof SignedOut)) throw error;
    if (!background) showFailure(error.message);
    return;
  }
  window.htmx.ajax(verb, path, {
    source: elt,
    event: triggeringEvent,
    target,
    select,
    swap: etc.swapOverride,
    values: formData,
  });
}

export function startSignIn() {
  document.addEventListener("htmx:responseError", repeatWithHtmx);
}
