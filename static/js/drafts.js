// Drafts: what is typed is kept in this browser at once and on the server a moment later.
// A form says data-draft-url (where to save) and data-draft-key (whose work, on what).

import { drop, read, write } from "./kept.js";
import { request, SignedOut } from "./signin.js";

const PAUSE = 800; // milliseconds without a change before the server is asked
const RETRY = 10000;
const PRIVATE = new Set(["csrfmiddlewaretoken", "submission", "revision", "drawn_from", "asked", "searched"]);

function fields(form) {
  return [...new FormData(form)].filter(([name, value]) => !PRIVATE.has(name) && typeof value === "string");
}

function fill(form, entries) {
  const wanted = new Map();
  for (const [name, value] of entries) wanted.set(name, [...(wanted.get(name) ?? []), value]);
  for (const field of form.elements) {
    if (!field.name || PRIVATE.has(field.name) || field.type === "submit") continue;
    const values = wanted.get(field.name) ?? [];
    if (field.type === "checkbox" || field.type === "radio") field.checked = values.includes(field.value);
    else if (field.type !== "hidden" || values.length) field.value = values[0] ?? "";
  }
  form.dispatchEvent(new CustomEvent("draft-restored", { bubbles: true, detail: entries }));
}

class DraftKeeper {
  constructor(form) {
    this.form = form;
    this.key = form.dataset.draftKey;
    this.status = document.querySelector("[data-draft-status]");
    this.saving = null;
    this.dirty = false;
    this.life = new AbortController();
    this.listen(form, "input", () => this.changed());
    this.listen(form, "change", () => this.changed());
    this.listen(form, "submit", () => this.leaving());
    this.listen(window, "pagehide", () => this.flush());
    this.listen(document, "visibilitychange", () => document.hidden && this.flush());
    this.listen(window, "online", () => this.dirty && this.save());
    this.listen(document, "signed-in", () => this.dirty && this.save());
    this.listen(document.body, "draft-stored", (event) => this.stored(event.detail.revision));
    this.listen(document.body, "htmx:afterRequest", (event) => this.sent(event.detail.xhr));
    this.restore();
  }

  listen(target, name, action) {
    target.addEventListener(name, action, { signal: this.life.signal });
  }

  // The form was drawn anew by the server, or is gone.
  stop() {
    clearTimeout(this.timer);
    this.life.abort();
  }

  // Another request of the form stored the draft on its way.
  stored(revision) {
    this.form.elements.revision.value = revision;
    this.keep(false);
    this.isLeaving = false;
  }

  // The server took the work and sends the browser on: what was kept here has done its work.
  sent(xhr) {
    this.isLeaving = Boolean(xhr?.getResponseHeader("HX-Redirect"));
    if (this.isLeaving) drop(this.key);
  }

  get revision() {
    return Number(this.form.elements.revision.value);
  }

  // The stored answer that the form was drawn from, where one is edited.
  get base() {
    return this.form.elements.drawn_from?.value ?? "";
  }

  keep(dirty) {
    write(this.key, { revision: this.revision, base: this.base, dirty, fields: fields(this.form) });
  }

  // A save may overtake the page that is being loaded: then what is kept here is the newer one.
  restore() {
    const kept = read(this.key);
    if (!kept || JSON.stringify(kept.fields) === JSON.stringify(fields(this.form))) return;
    const isOfThisAnswer = kept.base === this.base;
    const isNewer = kept.revision > this.revision || (kept.dirty && kept.revision === this.revision);
    if (isOfThisAnswer && isNewer) {
      this.use(kept);
    } else if (kept.dirty) {
      this.offer(kept);
    }
  }

  use(kept) {
    if (kept.base === this.base) this.form.elements.revision.value = Math.max(kept.revision, this.revision);
    fill(this.form, kept.fields);
    this.say("saved", this.status.dataset.restored);
    this.changed();
  }

  offer(kept) {
    const offer = document.querySelector("[data-draft-offer]");
    if (!offer) return;
    offer.hidden = false;
    offer.querySelector("button").addEventListener("click", () => {
      offer.hidden = true;
      this.use(kept);
    });
  }

  changed() {
    this.dirty = true;
    this.keep(true);
    this.say("saving", "");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), PAUSE);
  }

  leaving() {
    clearTimeout(this.timer);
    this.isLeaving = true;
    const kept = read(this.key);
    if (kept) write(this.key, { ...kept, dirty: true });
  }

  flush() {
    if (this.dirty && !this.isLeaving) this.save();
  }

  async save() {
    clearTimeout(this.timer);
    if (this.saving) {
      this.again = true;
      return;
    }
    this.dirty = false;
    this.saving = this.send();
    await this.saving;
    this.saving = null;
    if (this.again) {
      this.again = false;
      this.save();
    }
  }

  async send() {
    try {
      const body = new URLSearchParams(new FormData(this.form));
      this.answered(await request(this.form.dataset.draftUrl, { method: "POST", body, background: true, keepalive: true }));
    } catch (error) {
      this.failed(error);
    }
  }

  async answered(response) {
    if (response.status === 409) {
      this.say("failed", this.status.dataset.newer);
      document.querySelector("[data-draft-newer]")?.removeAttribute("hidden");
      return;
    }
    if (response.status >= 400 && response.status < 500 && response.status !== 401) {
      // It would be refused again: only what is typed next is worth another try.
      this.say("failed", this.status.dataset.refused);
      return;
    }
    if (!response.ok) {
      this.failed(response);
      return;
    }
    const saved = await response.json();
    this.form.elements.revision.value = saved.revision;
    if (!this.dirty) this.keep(false);
    this.say("saved", `${this.status.dataset.saved} ${saved.saved_at}`);
    this.form.dispatchEvent(new CustomEvent("draft-saved", { bubbles: true, detail: saved }));
  }

  failed(error) {
    this.dirty = true;
    this.say("failed", this.status.dataset.failed);
    if (!(error instanceof SignedOut)) this.timer = setTimeout(() => this.save(), RETRY);
  }

  say(state, text) {
    if (!this.status) return;
    this.status.dataset.state = state;
    if (text) this.status.textContent = text;
  }
}

let keeper = null;

function keepForm() {
  const form = document.querySelector("form[data-draft-url]");
  if (!form || keeper?.form === form) return;
  keeper?.stop();
  keeper = new DraftKeeper(form);
}

keepForm();
// htmx may draw the form anew; then the new one is kept.
document.body.addEventListener("htmx:afterSettle", keepForm);
