// Drafts: what is typed is kept in this browser at once and on the server a moment later.
// A form says data-draft-url (where to save) and data-draft-key (whose work, on what).

import { drop, read, write } from "./kept.js";
import { request, SignedOut } from "./signin.js";

const PAUSE = 800; // milliseconds without a change before the server is asked
const RETRY = 10000;
const PATIENCE = 15000; // until a save without an answer counts as failed: buttons wait for it
const PRIVATE = new Set(["csrfmiddlewaretoken", "submission", "revision", "replaces", "drawn_from", "asked", "searched"]);

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

// A button, or the form itself where no button sends it.
function press(element) {
  if (element instanceof HTMLFormElement) element.requestSubmit();
  else element?.click();
}

function isBackground(element) {
  return element.hasAttribute("data-background");
}

class DraftKeeper {
  constructor(form) {
    this.form = form;
    this.key = form.dataset.draftKey;
    this.status = document.querySelector("[data-draft-status]");
    this.dirty = false; // typed since the last request that takes it to the server
    this.saving = false;
    this.running = null; // the request of a button of the form
    this.pressed = null; // the button that waits for either of these
    this.pause = PAUSE;
    this.life = new AbortController();
    this.listen(form, "input", (event) => this.touched(event.target));
    this.listen(form, "change", (event) => this.touched(event.target));
    this.listen(form, "htmx:confirm", (event) => this.takeTurn(event));
    this.listen(form, "htmx:beforeRequest", (event) => this.started(event.detail));
    this.listen(window, "pagehide", () => this.flush());
    this.listen(window, "pageshow", () => { this.isGone = false; });
    this.listen(document, "visibilitychange", () => document.hidden && this.flush());
    this.listen(window, "online", () => this.dirty && this.save());
    this.listen(document, "signed-in", () => this.dirty && this.save());
    this.listen(document.body, "draft-stored", (event) => this.stored(event.detail.revision));
    this.listen(document.body, "htmx:afterRequest", (event) => this.ended(event.detail.xhr));
    this.restore();
  }

  listen(target, name, action) {
    target.addEventListener(name, action, { signal: this.life.signal });
  }

  // The form was drawn anew by the server, or is gone. Says which button waits for that.
  stop() {
    clearTimeout(this.timer);
    this.life.abort();
    return this.isStored ? this.pressed : null;
  }

  // One request at a time: each names the revision of the draft that the one before it made.
  takeTurn(event) {
    const { elt, triggeringEvent } = event.detail;
    if (isBackground(elt) || !(this.saving || this.running)) return;
    event.preventDefault();
    this.pressed = triggeringEvent?.submitter ?? elt;
  }

  // A button's request takes along what was typed so far; until it is stored, it is kept here.
  started({ elt, xhr }) {
    if (isBackground(elt)) return;
    clearTimeout(this.timer);
    this.running = xhr;
    this.isStored = false;
    this.dirty = false;
    if (read(this.key)) this.keep(true);
  }

  // The draft was stored by it. What was typed meanwhile is the newer one.
  stored(revision) {
    this.isStored = true;
    this.form.elements.revision.value = revision;
    this.keep(this.dirty);
  }

  // Where the server took the work and sends the browser on, what was kept here has done its work.
  // Where it drew the form anew, the next keeper goes on from it.
  ended(xhr) {
    if (xhr !== this.running) return;
    this.running = null;
    this.isGone = Boolean(xhr.getResponseHeader("HX-Redirect"));
    if (this.isGone) {
      drop(this.key);
      drop(`${this.key}:report`);
    } else if (this.form.isConnected && this.isStored) {
      this.next();
    } else if (this.form.isConnected) {
      this.pressed = null;
      this.changed();
    }
  }

  // What waited for a request to end: a button, or what was typed meanwhile.
  next() {
    const { pressed } = this;
    this.pressed = null;
    // htmx lets the form send again only after it has told of the end.
    setTimeout(() => press(pressed));
    if (this.dirty) this.later();
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

  // Within the form stand fields of others: the reasons to skip and to report.
  touched(field) {
    if (field.form === this.form) this.changed();
  }

  changed() {
    this.dirty = true;
    this.pause = PAUSE;
    this.keep(true);
    this.say("saving", "");
    this.later();
  }

  later() {
    clearTimeout(this.timer);
    if (this.pause) this.timer = setTimeout(() => this.save(), this.pause);
  }

  flush() {
    if (this.dirty) this.save();
  }

  // Where another request is under way, what was typed stays dirty and waits for its end.
  async save() {
    clearTimeout(this.timer);
    if (this.saving || this.running || this.isGone) return;
    this.dirty = false;
    this.saving = true;
    await this.send();
    this.saving = false;
    if (!this.life.signal.aborted) this.next();
  }

  async send() {
    const body = new URLSearchParams(new FormData(this.form));
    const options = { method: "POST", body, background: true, keepalive: true, patience: PATIENCE };
    try {
      await this.answered(await request(this.form.dataset.draftUrl, options));
    } catch (error) {
      this.failed(error);
    }
  }

  async answered(response) {
    if (response.status === 409) {
      this.keep(true);
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
    this.keep(this.dirty);
    this.say("saved", `${this.status.dataset.saved} ${saved.saved_at}`);
    this.form.dispatchEvent(new CustomEvent("draft-saved", { bubbles: true, detail: saved }));
  }

  failed(error) {
    this.dirty = true;
    this.pause = error instanceof SignedOut ? 0 : RETRY;
    this.say("failed", this.status.dataset.failed);
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
  const pressed = keeper?.stop();
  keeper = new DraftKeeper(form);
  if (pressed) press(document.getElementById(pressed.id));
}

keepForm();
// htmx may draw the form anew; then the new one is kept.
document.body.addEventListener("htmx:afterSettle", keepForm);
