// Fields of one line that grow with their text: Enter goes to the next one, a line being a claim.

const GROWS = CSS.supports("field-sizing", "content");
const LINE = "textarea[data-line]";
const NARROW = "(max-width: 56rem)";

export function isLine(element) {
  return element instanceof Element && element.matches(LINE);
}

export function lines() {
  return [...document.querySelectorAll(`#work ${LINE}`)];
}

function grow(field) {
  if (GROWS) return;
  field.rows = 1;
  while (field.scrollHeight > field.clientHeight && field.rows < 12) field.rows += 1;
}

function onKey(event) {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
  if (!isLine(event.target)) return;
  event.preventDefault();
  const all = lines();
  all[all.indexOf(event.target) + 1]?.focus();
}

// Guidelines stand open beside the form; below it, on a phone, they would only be in the way.
function fit() {
  lines().forEach(grow);
  for (const element of document.querySelectorAll("[data-needs-script]")) element.hidden = false;
  if (!matchMedia(NARROW).matches) return;
  for (const details of document.querySelectorAll("[data-open-when-wide]")) details.open = false;
}

export function startLines() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("input", (event) => isLine(event.target) && grow(event.target));
  document.addEventListener("draft-restored", () => lines().forEach(grow));
  document.addEventListener("htmx:afterSwap", (event) => event.target.id === "work" && fit());
  fit();
}
