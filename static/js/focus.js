// A refusal is seen and read at once, wherever the button was: what says data-focus, or the first
// field that a redrawn form of work marks as wrong, is scrolled to and focused, once.

const seen = new WeakSet();

function focusNew() {
  const found = [...document.querySelectorAll("[data-focus], #work [aria-invalid=true]")];
  const first = found.find((element) => !seen.has(element));
  for (const element of found) seen.add(element);
  if (!first) return;
  first.focus({ preventScroll: true });
  first.scrollIntoView({ block: "center" });
}

export function startFocus() {
  focusNew();
  document.addEventListener("htmx:afterSettle", focusNew);
}
