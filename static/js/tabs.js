// A row of tabs that does not fit begins at the one that is open, not at its first.

export function startTabs() {
  const current = document.querySelector(".tabs [aria-current]");
  current?.scrollIntoView({ block: "nearest", inline: "center" });
}
