// What all pages share: the theme, the keys, problems of requests, and events from the server.

export const project = document.body.dataset.project ?? "";
export const $ = (selector, inside = document) => inside.querySelector(selector);
export const $$ = (selector, inside = document) => [...inside.querySelectorAll(selector)];

/** An element: make("li", { className: "row", dataset: { id: "3" } }, "text", otherElement). */
export function make(tag, attributes = {}, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "dataset") Object.assign(element.dataset, value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== "role" && name !== "list") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...content.flat().filter((part) => part !== null && part !== undefined && part !== false));
  return element;
}

/** An icon from icons.svg. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `/static/icons.svg#${name}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/** Says something to screen readers. */
export const say = (text) => { $("#live").textContent = text; };

/** Shows a state at the top right; without text, hides it. */
export function status(text, lost = false) {
  const place = $("#status");
  place.textContent = text;
  place.hidden = !text;
  place.classList.toggle("lost", lost);
}

/** What the server answered with problems: `problems` is a list of { message, hint, place }. */
export class Refused extends Error {
  constructor(problems, status) {
    super(problems.map((problem) => problem.message).join("\n"));
    this.problems = problems;
    this.status = status;
  }
}

/** The JSON that an address answers with; `body` is sent as JSON, or as it is if it is a file. */
export async function ask(address, body, method = body === undefined ? "GET" : "POST") {
  const raw = body instanceof Blob || body instanceof ArrayBuffer;
  const answer = await fetch(address, { method, body: body === undefined || raw ? body : JSON.stringify(body) });
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(data.problems ?? [{ message: `The server answered ${answer.status}.` }], answer.status);
  return data;
}

/** Calls functions with the events of the project, { changed: (data) => … }; the connection is opened again by itself.
 * It is closed while the page cannot be seen: a browser opens only six connections to a server for all its tabs. */
export function listen(handlers, address = `/g/${project}/events`) {
  let source = null, lost = 0, hidden = false;
  const open = () => {
    source?.close();
    source = new EventSource(address);
    for (const [kind, handler] of Object.entries(handlers)) {
      source.addEventListener(kind, (event) => handler(JSON.parse(event.data)));
    }
    source.addEventListener("error", () => {
      lost ||= setTimeout(() => status("Pencilbox has stopped. Start it again; this page goes on.", true), 1500);
    });
    source.addEventListener("open", () => {
      clearTimeout(lost);
      if (lost) status("");
      if (lost || hidden) handlers.reconnected?.();
      else handlers.opened?.(); // what was sent before is lost
      lost = 0;
      hidden = false;
    });
  };
  const close = () => { source.close(); hidden = true; };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  open();
}

// ---- keys

const SINGLE = "single-keys";
const handlers = new Map();
export const singleKeys = () => localStorage.getItem(SINGLE) !== "off";
/** Calls a function when a key is pressed. Single letters and signs rest while somebody types, and can be switched off. */
export const key = (name, handler) => handlers.set(name.toLowerCase(), handler);

const typing = (target) => target.closest("input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable=true]");
addEventListener("keydown", (event) => {
  const name = (event.ctrlKey || event.metaKey ? "ctrl " : "") + (event.altKey ? "alt " : "") + event.key.toLowerCase();
  const single = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  const handler = handlers.get(name);
  if (!handler || event.defaultPrevented || (single && (!singleKeys() || typing(event.target) || $("dialog[open]")))) return;
  event.preventDefault();
  handler(event);
});
$$(".areas a").forEach((link, number) => key(String(number + 1), () => link.click()));

const keys = $("#keys");
const box = $("#single-keys");
box.checked = singleKeys();
box.addEventListener("change", () => localStorage.setItem(SINGLE, box.checked ? "on" : "off"));
$("#help").addEventListener("click", () => keys.showModal());
key("?", () => keys.showModal());

// ---- light and dark

$("#theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=strict`;
});
