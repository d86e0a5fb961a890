// The heartbeat: once a minute, while the page is seen and used, the lease is renewed.

import { request } from "./signin.js";

const MINUTE = 60000;
let last = Date.now();
let active = 0;

function worked() {
  const now = Date.now();
  // A gap of more than a minute is a pause, not work.
  if (now - last < MINUTE) active += now - last;
  last = now;
}

async function beat(url) {
  if (document.hidden) return;
  const seconds = Math.round(active / 1000);
  active = 0;
  try {
    const response = await request(url, {
      method: "POST",
      body: new URLSearchParams({ seconds: String(seconds) }),
      background: true,
    });
    const notice = document.querySelector("[data-lease-notice]");
    if (notice && response.ok) notice.hidden = (await response.json()).has_slot;
  } catch {
    active += seconds * 1000; // no network, or signed out: counted with the next beat
  }
}

const form = document.querySelector("form[data-beat-url]");
if (form) {
  for (const kind of ["keydown", "pointerdown", "scroll", "input"]) {
    document.addEventListener(kind, worked, { passive: true });
  }
  setInterval(() => beat(form.dataset.beatUrl), MINUTE);
}
