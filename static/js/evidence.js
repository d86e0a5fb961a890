// The evidence grid: ticking in the last column adds one; one set is active at a time for the
// keys and on a phone; the newest paragraph of each set is marked.

let form = null;
let current = null;

function cells(root = form) {
  return [...root.querySelectorAll(".set-cell")];
}

function columns() {
  return Math.max(0, ...cells().map((cell) => Number(cell.dataset.set)));
}

function text(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function addColumn(after) {
  if (after >= Number(form.dataset.maxSets)) return;
  for (const cell of cells().filter((each) => Number(each.dataset.set) === after)) {
    const next = cell.cloneNode(true);
    drawAsSet(cell, after);
    next.dataset.set = String(after + 1);
    const box = next.querySelector("input");
    box.name = `set-${after + 1}`;
    box.checked = false;
    cell.after(next);
  }
  form.elements.columns.value = String(after + 1);
}

function drawAsSet(cell, number) {
  cell.classList.remove("set-new");
  cell.querySelector(".set-number").textContent = String(number);
  const box = cell.querySelector("input");
  box.setAttribute("aria-label", text(form.dataset.inSet, { paragraph: box.dataset.paragraph, set: number }));
}

function ticked(event) {
  const cell = event.target.closest(".set-cell");
  if (!cell) return;
  const number = Number(cell.dataset.set);
  if (event.target.checked && number === columns()) addColumn(number);
  if (event.target.checked) activate(number);
  markNewest();
}

function activate(number) {
  form.dataset.activeSet = String(number);
  form.elements.active.value = String(number);
  for (const cell of cells()) cell.classList.toggle("is-active", Number(cell.dataset.set) === number);
  drawSwitch();
}

function drawSwitch() {
  const last = columns();
  const active = Number(form.dataset.activeSet);
  for (const bar of form.querySelectorAll("[data-set-switch]")) {
    const buttons = [];
    for (let number = 1; number <= last; number += 1) buttons.push(choice(number, number === last, number === active));
    bar.replaceChildren(...buttons);
    bar.closest("[hidden]")?.removeAttribute("hidden");
  }
}

function choice(number, isNew, isActive) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "set-choice";
  button.dataset.set = String(number);
  button.setAttribute("aria-pressed", String(isActive));
  button.textContent = isNew ? form.dataset.newSet : text(form.dataset.oneSet, { set: number });
  button.addEventListener("click", () => activate(number));
  return button;
}

function markNewest() {
  const newest = new Map();
  for (const box of form.querySelectorAll(".set-cell input:checked")) {
    const paragraph = box.closest(".paragraph");
    const number = box.name.replace("set-", "");
    const best = newest.get(number);
    if (!best || paragraph.dataset.available > best.dataset.available) newest.set(number, paragraph);
  }
  const size = (number) => form.querySelectorAll(`.set-cell input[name="set-${number}"]:checked`).length;
  for (const mark of form.querySelectorAll("[data-newest]")) {
    const paragraph = mark.closest(".paragraph");
    const sets = [...newest].filter(([number, each]) => each === paragraph && size(number) > 1).map(([number]) => number);
    mark.textContent = sets.length ? text(form.dataset.newestOf, { sets: sets.join(", ") }) : "";
    mark.hidden = !sets.length;
  }
}

function readable() {
  return [...form.querySelectorAll(".paragraph")].filter((each) => each.getClientRects().length);
}

function move(step) {
  const all = readable();
  if (!all.length) return;
  const at = all.indexOf(current);
  const next = all[Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + step))];
  current?.classList.remove("is-current");
  current = next;
  current.classList.add("is-current");
  current.scrollIntoView({ block: "center" });
  current.querySelector(".set-cell.is-active input")?.focus({ preventScroll: true });
}

function toggleCurrent() {
  if (!current) move(0);
  current?.querySelector(".set-cell.is-active input")?.click();
}

// The next collapsed article below the paragraph that the keys are at.
function openNext() {
  const all = [...form.querySelectorAll("details.article")];
  const here = current?.closest("details") ?? all[0];
  const next = all.slice(all.indexOf(here)).find((each) => !each.open);
  if (!next) return;
  next.open = true;
  current?.classList.remove("is-current");
  current = next.querySelector(".paragraph");
  current?.classList.add("is-current");
  next.scrollIntoView({ block: "start" });
  next.querySelector("summary").focus({ preventScroll: true });
}

const MOVES = {
  next: () => move(1),
  previous: () => move(-1),
  tick: toggleCurrent,
  open: openNext,
  "next-set": () => activate(Math.min(columns(), Number(form.dataset.activeSet) + 1)),
  "previous-set": () => activate(Math.max(1, Number(form.dataset.activeSet) - 1)),
};

function onClick(event) {
  const button = event.target.closest("[data-move]");
  if (button) MOVES[button.dataset.move]();
}

// A restored draft may use more sets than were drawn: draw them, then tick.
function restored(event) {
  const wanted = event.detail.filter(([name]) => /^set-\d+$/.test(name));
  const last = Math.max(0, ...wanted.map(([name]) => Number(name.slice(4))));
  while (columns() <= last && columns() < Number(form.dataset.maxSets)) addColumn(columns());
  const pairs = new Set(wanted.map(([name, value]) => `${name} ${value}`));
  for (const box of form.querySelectorAll(".set-cell input")) box.checked = pairs.has(`${box.name} ${box.value}`);
  form.elements.columns.value = String(columns());
  markNewest();
  drawSwitch();
}

// Enter presses the form's first button: in the search it searches, elsewhere it keeps the draft.
function entered(event) {
  const isSearch = event.target.name === "search-text";
  if (event.key === "Enter") form.querySelector("[data-enter]").value = isSearch ? "search" : "keep";
}

function summarised(event) {
  const line = form.querySelector("[data-summary]");
  if (line && event.detail.summary) line.textContent = event.detail.summary;
}

function listen() {
  form.addEventListener("change", ticked);
  form.addEventListener("click", onClick);
  form.addEventListener("keydown", entered);
  form.addEventListener("draft-restored", restored);
  form.addEventListener("draft-saved", summarised);
}

// The form as it stands now: at first, and after htmx drew it or one of its articles anew.
function start() {
  const found = document.querySelector("form[data-evidence]");
  if (!found) return;
  const isNew = found !== form;
  if (isNew) {
    form = found;
    listen();
  }
  for (const element of form.querySelectorAll("[data-needs-script]")) element.hidden = false;
  activate(Number(form.elements.active.value) || 1);
  markNewest();
  if (isNew && current) goOnAt(current.id);
}

// The keys go on where they were, unless something else was given the focus.
function goOnAt(id) {
  current = document.getElementById(id);
  current?.classList.add("is-current");
  if (document.activeElement !== document.body) return;
  current?.querySelector(".set-cell.is-active input")?.focus({ preventScroll: true });
}

start();
document.body.addEventListener("htmx:afterSettle", start);
