// What is kept in this browser: drafts of work, until they are submitted or somebody signs out.

const PREFIX = "draft:";

export function read(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return null;
  }
}

export function write(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A full or forbidden store: the server's copy remains.
  }
}

export function drop(name) {
  localStorage.removeItem(PREFIX + name);
}

function dropAll() {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  }
}

// On every page: people of a shared computer sign out where they happen to be.
export function startKept() {
  document.querySelector("form[data-sign-out]")?.addEventListener("submit", dropAll);
}
