// A score sheet as it lies on paper: pictures of its pages, a field in every box, and what is drawn on top.

import { make, project } from "./studio.js";

const SVG = "http://www.w3.org/2000/svg";
const SHORT = 2;

/** An SVG element with attributes. */
export function shape(tag, attributes = {}, ...content) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}

/** A field as the server sends it, with what it takes in words. */
export function described({ at: { kind, marks, span, length, slot }, ...field }) {
  const listed = typeof marks === "string" ? [] : marks;
  const range = span && [span.low, span.high];
  return { ...field, kind, marks: listed, span: range, length, letters: slot.marks.length ? 0 : slot.boxes.length, boxes: slot.boxes, options: slot.marks, round: slot.is_round, takes: takes(kind, listed, range) };
}

function takes(kind, marks, span) {
  if (kind === "tick") return "a tick";
  if (marks.length) {
    const digits = marks.filter((mark) => /^\d+$/.test(mark));
    const all = [...(digits.length > 2 ? [`${digits[0]} to ${digits.at(-1)}`] : digits), ...marks.filter((mark) => !digits.includes(mark))];
    return all.length > 1 ? `${all.slice(0, -1).join(", ")} or ${all.at(-1)}` : all[0];
  }
  if (span) return `${span[0]} to ${span[1]}`.replaceAll("-", "−");
  return { number: "a number", card: "a card", code: "a set code" }[kind] ?? "a text";
}

/** The fields of every page, also of the pages on which a long log continues: { field, …, page }. */
export function fieldsOf(blank, sheets) {
  const fields = blank.fields.map((field) => ({ ...field }));
  for (let sheet = 1; sheet < sheets; sheet++) {
    for (const field of blank.fields) {
      const [group, number, ...rest] = field.id.split(".");
      const about = blank.continues[group];
      const moved = about && Number(number) + sheet * about.on_page;
      if (!about || moved > about.most) continue;
      const start = `${group}.${moved}`;
      fields.push({ ...field, id: [start, ...rest].join("."), name: field.name.replace(/\d+/, moved), part: start, page: field.page + sheet * blank.pages.length });
    }
  }
  return fields.sort((one, other) => one.page - other.page);
}

/** How many sheets of paper the marks need. */
export function sheetsFor(blank, marks) {
  let sheets = 1;
  for (const id of Object.keys(marks)) {
    const [group, number] = id.split(".");
    const about = blank.continues[group];
    if (about && marks[id]) sheets = Math.max(sheets, Math.ceil(Number(number) / about.on_page));
  }
  return sheets;
}

export const isTick = (field) => field.kind === "tick";
/** Whether a field is full after one mark, so that the next one can be filled in. */
export const isFull = (field, text) => (isTick(field) ? false : field.marks.length
  ? field.marks.includes(text) && !field.marks.some((mark) => mark.length > text.length && mark.startsWith(text) && mark.length > SHORT)
    && field.length === text.length
  : field.length === 1 && text.length === 1);

/** What is in a field after typing `text`: the mark as it is spelt, or null if it cannot stand there. */
export function accepted(field, text) {
  const typed = text.trim();
  if (typed === "" || typed === ".") return typed;
  if (field.kind === "choice" || field.kind === "die") {
    const fitting = field.marks.filter((mark) => mark.toLowerCase().startsWith(typed.toLowerCase()));
    const whole = fitting.find((mark) => mark.toLowerCase() === typed.toLowerCase());
    return whole ?? (fitting.length ? typed : null);
  }
  if (field.kind === "number") return /^[-−]?\d*$/.test(typed) && typed.length <= Math.max(field.length, 1) ? typed.replace("−", "-") : null;
  return text.length > 200 ? null : text;
}

/** The marks that keys on a phone offer; null for fields that need all letters. */
export function keysOf(field) {
  if (isTick(field)) return ["x"];
  if (field.marks.length) return field.marks;
  if (field.kind === "number") return [..."1234567890", ...(field.span && field.span[0] >= 0 ? [] : ["-"])];
  return null;
}

/** The pages with their fields; `handle` gets the events of the fields. Returns { pages, inputs } by field id. */
export function layOut(blank, fields, handle) {
  const inputs = new Map();
  const count = Math.max(...fields.map((field) => field.page), 0) + 1;
  const pages = [];
  for (let number = 0; number < count; number++) {
    const { key, width, height } = blank.pages[number % blank.pages.length];
    const own = fields.filter((field) => field.page === number);
    if (number >= blank.pages.length && !own.length) continue;
    const picture = make("img", { alt: "", className: "paper", draggable: false });
    const page = make("div", { className: "page" }, picture, shape("svg", { class: "ink", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }));
    page.style.setProperty("--ratio", width / height);
    Object.assign(page, { size: [width, height], number, load: (pixels, photo = "") => {
      const wide = Math.ceil(pixels / 200) * 200;
      page.classList.toggle("photo", Boolean(photo));
      if (!photo) page.wide = Math.max(page.wide ?? 0, wide);
      const address = photo || `/g/${project}/picture/${key}/${page.wide}.png`;
      if (picture.getAttribute("src") !== address) picture.src = address;
    } });
    for (const field of own) {
      const input = fieldInput(field, [width, height]);
      inputs.set(field.id, input);
      page.append(input);
    }
    page.append(shape("svg", { class: "doubts", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }));
    page.append(shape("svg", { class: "rings", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }));
    pages.push(page);
  }
  for (const page of pages) for (const kind of ["focusin", "focusout", "input", "keydown", "pointerdown", "pointerover"]) page.addEventListener(kind, handle);
  return { pages, inputs };
}

function fieldInput(field, [width, height]) {
  const [x, y, w, h] = field.box;
  const choices = field.kind === "choice" && field.length > SHORT && !field.options.length;
  const input = isTick(field) ? make("input", { type: "checkbox" })
    : choices ? make("select", {}, make("option", { value: "" }), field.marks.map((mark) => make("option", { value: mark }, mark)))
    : make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: false });
  input.className = field.options.length ? "box options" : "box";
  input.dataset.id = field.id;
  const percent = (part, of) => `${(100 * part) / of}%`;
  Object.assign(input.style, { left: percent(x, width), top: percent(y, height), width: percent(w, width), height: percent(h, height) });
  input.field = field;
  return input;
}

/** Writes a text into a field as large as fits. */
export function write(input, text, sign = "") {
  const { field } = input;
  if (isTick(field)) { input.checked = text === "x"; return; }
  const active = document.activeElement === input;
  const shown = active ? text : sign || (text === "." ? "" : text);
  if (input.value !== shown) input.value = shown;
  input.classList.toggle("circle", shown === "○" || (shown === "o" && field.marks.includes("o")));
  input.classList.toggle("comb", field.letters > 0 && text.length <= field.letters);
  const [, , w, h] = field.box;
  const letters = Math.max(shown.length, 1);
  input.style.setProperty("--size", Math.max(1.1, Math.min(h * 0.62, 8, (w * 0.92) / (letters * 0.56))));
}

/** One letter in each of the small boxes of a field; a number ends in the last one and has its sign in the first. */
export function combed(field, text) {
  const sign = /^[-+−]\d+$/.test(text) ? text[0] : "";
  const letters = /^[-+−]?\d+$/.test(text) ? sign + text.slice(sign.length).padStart(field.letters - sign.length) : text;
  return [...letters].map((letter, at) => {
    const [x, y, w, h] = field.boxes[at] ?? field.box;
    return shape("text", { x: x + w / 2, y: y + h * 0.5, "font-size": Math.min(h * 0.66, w * 0.95) }, letter);
  });
}

/** The ring or cross that chooses one of the boxes of a field. */
export function ringed(field, mark) {
  const box = field.boxes[field.options.indexOf(mark)];
  if (!box) return [];
  const [x, y, w, h] = box;
  if (field.round) return [shape("rect", { class: "chosen-ring", x: x - 0.5, y: y - 0.5, width: w + 1, height: h + 1, rx: Math.min(w, h) / 2 + 0.5 })];
  const [left, right, top, bottom] = [x + w * 0.2, x + w * 0.8, y + h * 0.2, y + h * 0.8];
  return [shape("path", { class: "chosen-ring", d: `M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}` })];
}

/** The mark of the box at a point of the window. */
export function optionAt(input, { clientX, clientY }) {
  const { left, top, width, height } = input.getBoundingClientRect();
  const { box: [x, y, w, h], boxes, options } = input.field;
  const [px, py] = [x + ((clientX - left) / width) * w, y + ((clientY - top) / height) * h];
  const far = ([bx, by, bw, bh]) => Math.max(Math.abs(px - bx - bw / 2) - bw / 2, Math.abs(py - by - bh / 2) - bh / 2);
  const nearest = options.map((_, at) => at).sort((one, other) => far(boxes[one]) - far(boxes[other]))[0];
  return far(boxes[nearest]) < 1.5 ? options[nearest] : null;
}

// ---- on top of the paper

const LEFT = 0.6;

/** The path of a ring drawn by hand round a box: it ends a little beyond its start. */
export function ring([x, y, w, h], seed) {
  const shake = (n) => Math.sin(seed * 7.3 + n * 2.1) * Math.min(0.3, Math.min(w, h) / 24);
  const [left, top, right, bottom] = [x - LEFT, y - LEFT, x + w + LEFT, y + h + LEFT];
  const r = Math.min(2, w / 3, h / 3);
  const start = left + r + w * 0.12;
  return `M${start + w * 0.14} ${top - 0.6 + shake(1)}L${start} ${top + 0.3 + shake(2)}L${left + r} ${top + 0.3 + shake(3)}`
    + `Q${left + shake(4)} ${top + shake(4)} ${left + shake(5)} ${top + r}L${left + shake(6)} ${bottom - r}`
    + `Q${left + shake(7)} ${bottom} ${left + r} ${bottom + shake(8)}L${right - r} ${bottom + shake(9)}`
    + `Q${right + shake(10)} ${bottom} ${right + shake(11)} ${bottom - r}L${right + shake(12)} ${top + r}`
    + `Q${right} ${top + shake(13)} ${right - r} ${top + shake(14)}L${start - w * 0.06} ${top + shake(15)}`;
}

/** The smallest box around several. */
export function around(boxes) {
  const x = Math.min(...boxes.map((box) => box[0]));
  const y = Math.min(...boxes.map((box) => box[1]));
  return [x, y, Math.max(...boxes.map((box) => box[0] + box[2])) - x, Math.max(...boxes.map((box) => box[1] + box[3])) - y];
}

/** The line round boxes that touch: the sides that only one of them has, also into corners that point inwards. */
export function outline(boxes) {
  const near = (a, b) => Math.abs(a - b) < 1;
  const has = (x, y, w, h) => boxes.some((box) => near(box[0], x) && near(box[1], y) && near(box[2], w) && near(box[3], h));
  const gap = 0.9;
  return boxes.map(([x, y, w, h]) => {
    const at = (across, down) => has(x + across * w, y + down * h, w, h);
    const end = (across, down, outX, outY) => (!at(across, down) ? gap : at(across + outX, down + outY) ? -gap : 0);
    const level = (out, line) => !at(0, out) && `M${x + end(-1, 0, 0, out)} ${line}H${x + w - end(1, 0, 0, out)}`;
    const upright = (out, line) => !at(out, 0) && `M${line} ${y + end(0, -1, out, 0)}V${y + h - end(0, 1, out, 0)}`;
    return [level(-1, y + gap), level(1, y + h - gap), upright(-1, x + gap), upright(1, x + w - gap)].filter(Boolean).join("");
  }).join("");
}

export const middle = ([x, y, w, h]) => [x + w / 2, y + h / 2];
