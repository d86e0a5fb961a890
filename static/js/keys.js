// Keys: an element that says data-key="KeyS" is pressed by that key. Codes name places on the
// keyboard, so a Czech or French layout works; while somebody types, keys are letters.

const TYPING =
  "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=submit], [type=button])";

function isVisible(element) {
  return element.getClientRects().length > 0;
}

function keyed(name) {
  const found = document.querySelectorAll(`[data-key="${CSS.escape(name)}"]`);
  return [...found].find((element) => isVisible(element.closest("label") ?? element));
}

function nameOf(event) {
  if (event.ctrlKey || event.metaKey) {
    return event.code === "Enter" || event.code === "NumpadEnter" ? "Ctrl+Enter" : "";
  }
  if (event.key === "?") return "?";
  return (event.shiftKey ? "Shift+" : "") + event.code.replace("Numpad", "Digit");
}

function press(element) {
  if (element.matches(TYPING)) {
    element.focus();
  } else {
    element.click();
  }
}

function onKey(event) {
  if (event.defaultPrevented || event.isComposing || event.altKey || event.repeat) return;
  const typing = event.target instanceof Element && event.target.matches(TYPING);
  if (typing && event.key === "Escape") {
    event.target.blur();
    return;
  }
  const name = nameOf(event);
  if (!name || (typing && name !== "Ctrl+Enter") || document.querySelector("dialog[open]")) return;
  const element = keyed(name);
  if (!element || element.disabled) return;
  event.preventDefault();
  press(element);
}

document.addEventListener("keydown", onKey);
