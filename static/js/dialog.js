// Dialogs by attributes: data-dialog-open="id" on a button, data-dialog-close inside.

export function openDialog(dialog) {
  if (dialog && !dialog.open) dialog.showModal();
}

function onClick(event) {
  const opener = event.target.closest("[data-dialog-open]");
  if (opener) {
    event.preventDefault();
    openDialog(document.getElementById(opener.dataset.dialogOpen));
  }
  if (event.target.closest("[data-dialog-close]")) event.target.closest("dialog").close();
  closeMenus(event.target);
}

// A menu is a <details>; it folds when something outside it is used, or at Escape.
function closeMenus(target) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(target)) menu.open = false;
  }
}

function onKey(event) {
  const menu = event.key === "Escape" && event.target.closest?.("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
}

export function startDialogs() {
  document.addEventListener("click", onClick);
  document.addEventListener("focusin", (event) => closeMenus(event.target));
  document.addEventListener("keydown", onKey);
}
