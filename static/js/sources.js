// T0: J and K walk through the paragraphs, E ticks the one that they are at, Enter submits.

const ACTING = "a, button, summary, select, textarea, dialog, input:not([type=checkbox])";
let current = null;

function form() {
  return document.querySelector("form[data-sources]");
}

function goTo(paragraph) {
  current?.classList.remove("is-current");
  current = paragraph;
  current.classList.add("is-current");
}

// Tables have no box: they can be no source, and the keys pass them by.
function move(step) {
  const all = [...form().querySelectorAll(".paragraph:has(.set-cell)")];
  if (!all.length) return;
  const at = all.indexOf(current);
  goTo(all[Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + step))]);
  current.scrollIntoView({ block: "nearest" });
  current.querySelector("input").focus({ preventScroll: true });
}

function toggleCurrent() {
  if (!current?.isConnected) move(0);
  current?.querySelector("input").click();
}

const MOVES = { next: () => move(1), previous: () => move(-1), tick: toggleCurrent };

function onChange(event) {
  const paragraph = event.target.closest?.("form[data-sources] .paragraph");
  if (paragraph) goTo(paragraph);
}

function onClick(event) {
  const button = event.target.closest("[data-move]");
  if (button) MOVES[button.dataset.move]();
}

// Where Enter does something of its own, on a link or a button, it goes on doing that.
function onKey(event) {
  if (event.code !== "Enter" && event.code !== "NumpadEnter") return;
  if (event.defaultPrevented || event.repeat || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest(ACTING) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  form()?.querySelector("[data-default]").click();
}

function show() {
  for (const element of document.querySelectorAll("[data-needs-script]")) element.hidden = false;
}

document.addEventListener("click", onClick);
document.addEventListener("change", onChange);
document.addEventListener("keydown", onKey);
document.addEventListener("htmx:afterSwap", show);
show();
