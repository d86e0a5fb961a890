// The reason of a report stands in a form of its own: no draft has it, so this browser keeps it.

import { read, write } from "./kept.js";

const field = document.getElementById("report-reason");
if (field) {
  const kept = read(field.dataset.keptAs);
  if (kept && !field.value) {
    field.value = kept;
    field.closest("details").open = true;
  }
  field.addEventListener("input", () => write(field.dataset.keptAs, field.value));
}
