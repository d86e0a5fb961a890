// T1a: a pasted list fills one line for each claim.

import { isLine, lines, startLines } from "./lines.js";

function pastedClaims(event) {
  const text = event.clipboardData?.getData("text") ?? "";
  return text.split(/[\r\n]+/).map((line) => line.trim()).filter(Boolean);
}

// More claims than free lines are left in the one field; the server says that they are too many.
function onPaste(event) {
  if (!isLine(event.target)) return;
  const claims = pastedClaims(event);
  const after = lines().slice(lines().indexOf(event.target));
  const free = after.filter((field) => field === event.target || !field.value.trim());
  if (claims.length < 2 || claims.length > free.length) return;
  event.preventDefault();
  event.target.setRangeText(claims[0], event.target.selectionStart, event.target.selectionEnd, "end");
  claims.slice(1).forEach((claim, index) => {
    free[index + 1].value = claim;
  });
  const filled = free.slice(0, claims.length);
  for (const field of filled) field.dispatchEvent(new Event("input", { bubbles: true }));
  filled.at(-1).focus();
}

document.addEventListener("paste", onPaste);
startLines();
