// What was read from a photo: which fields are doubtful, the questions about them, and what is drawn on the sheet.

import { make, project } from "./studio.js";
import { accepted, isFull, isTick, shape } from "./sheet.js";

const AROUND = 1.5;
const MOST_CROPS = 5;
const MOST_NAMES = 5;
const HANDFUL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const count = (number) => HANDFUL[number] ?? String(number);

export const isPicture = (file) => file.type.startsWith("image/") || /\.(jpe?g|png|webp|avif|hei[cf]|tiff?|bmp|gif)$/i.test(file.name);

/** What is kept of a sheet that the server has read. `answers` is what a person said, `changed` what was corrected on
 * the page although something else is on paper. */
export function remembered(found, before = {}) {
  const fields = Object.fromEntries(found.fields.map(({ field, mark, probability, runner_up, sure, confirmed, page }) =>
    [field, { mark, probability, other: runner_up, sure, confirmed, page }]));
  const { id, marks, boxes, paper, pages, questions, names } = found;
  return { answers: {}, changed: [], later: [], apart: [], shown: true, ...before, id, marks, boxes, paper, pages, questions, names, fields };
}

export const isConfirmed = (photo, id) => Boolean(photo?.fields[id]) && id in photo.answers && !photo.changed.includes(id);
export const isDoubtful = (photo, id) => Boolean(photo?.fields[id]) && !photo.fields[id].sure && !(id in photo.answers) && !photo.changed.includes(id);
const doubtful = (photo) => Object.keys(photo.fields).filter((id) => isDoubtful(photo, id));
const confirmed = (photo) => Object.keys(photo.answers).filter((id) => isConfirmed(photo, id));

/** Puts what was read into marks, except for what a person said or corrected. */
export function merge(photo, marks) {
  for (const id of Object.keys(photo.fields)) {
    if (id in photo.answers || photo.changed.includes(id)) continue;
    if (photo.marks[id]) marks[id] = photo.marks[id]; else delete marks[id];
  }
}

/** The question to ask now, { fields, marks }; those that were put off come last. */
export function question(photo) {
  const open = photo.questions.map(({ field, alike, marks }) => ({ fields: [field, ...alike].filter((id) => isDoubtful(photo, id)), marks })).filter(({ fields }) => fields.length)
    .flatMap((each) => (each.fields.some((id) => photo.apart.includes(id)) ? each.fields.map((id) => ({ ...each, fields: [id] })) : [each]));
  const rank = ({ fields }) => photo.later.indexOf(fields[0]);
  return open.sort((one, other) => rank(one) - rank(other))[0] ?? null;
}

const address = (photo, page) => `/g/${project}/score/photo/${photo.id}/${page}.jpg`;

/** The straightened photo of a page, from 0; “” if the printed sheet is to be seen. */
export function pictureOf(photo, blank, page) {
  if (!photo?.shown || photo.lost || page >= blank.pages.length) return "";
  return photo.pages.some((seen) => seen.page === page + 1) && fits(photo, blank) ? address(photo, page + 1) : "";
}

/** Whether the boxes in the photo are where those of the blank sheet are: not if it is in large print. */
export const fits = (photo, blank) => blank.fields.every(({ id, box }) => !photo.boxes[id] || box.every((length, at) => Math.abs(length - photo.boxes[id][at]) < 0.1));

/** A field in the photo, with what is around it, at most so many pixels wide and high. */
function crop(photo, blank, id, most) {
  const [x, y, w, h] = photo.boxes[id];
  const [wide, high] = [w + 2 * AROUND, h + 2 * AROUND];
  const mm = Math.min(most[0] / wide, most[1] / high, 12);
  const { width, height } = blank.pages[0];
  const element = make("span", { className: "crop" });
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", `What is written in ${nameOf(blank, id)}`);
  Object.assign(element.style, {
    width: `${wide * mm}px`, height: `${high * mm}px`, backgroundImage: `url("${address(photo, photo.fields[id].page)}")`,
    backgroundSize: `${width * mm}px ${height * mm}px`, backgroundPosition: `${(AROUND - x) * mm}px ${(AROUND - y) * mm}px`,
  });
  return element;
}

const nameOf = (blank, id) => blank.fields.find((field) => field.id === id)?.name || id;
/** A mark as words on a button. */
const label = (field, mark) => (mark === "" ? "Blank" : isTick(field) ? "A tick" : mark.replace("-", "−"));

/** How much was read, and how sure it is. */
export function facts(photo) {
  const [doubts, said] = [doubtful(photo).length, confirmed(photo).length];
  return [`${Object.keys(photo.fields).length} boxes read`, doubts ? `${doubts} doubtful` : "nothing doubtful", ...(said ? [`${said} confirmed by you`] : [])].join(" · ");
}

/** The bar under the sheet: what was read, and a question with its crops and answers. `act` has the functions `answer`,
 * `later`, `apart`, `toggle`, `undo`, `refuse`, and `resume` if somebody types on a phone instead; `narrow` is whether it is one. */
export function bar(photo, blank, narrow, act) {
  const asked = photo.lost ? null : question(photo);
  const away = asked && act.resume;
  const names = [...new Set(photo.pages.map((each) => each.photo))].join(", ");
  const canShow = !photo.lost && fits(photo, blank);
  const toggle = canShow && make("button", { className: "button", id: "show-photo", type: "button", onclick: act.toggle }, photo.shown ? "Printed sheet" : "Photo", narrow ? null : make("kbd", {}, "P"));
  const head = make("div", { className: "asking-head" },
    make("p", {}, make("b", {}, names), " ", make("span", { className: "caption" }, photo.lost ? "The photo is not kept any more. Add it again to see it." : facts(photo))), away ? make("button", { className: "button", id: "show-photo", type: "button", onclick: act.resume }, "Questions") : toggle || null);
  return [head, ...(asked && !away ? [asking(photo, blank, asked, narrow, act)] : [])];
}

function asking(photo, blank, { fields, marks }, narrow, act) {
  const field = blank.fields.find((each) => each.id === fields[0]);
  const shown = fields.slice(0, MOST_CROPS);
  const room = narrow ? [340 / shown.length, 76] : [420 / shown.length, 84];
  const answer = (mark) => act.answer(fields, mark);
  const [best, ...others] = marks;
  const words = !marks.length ? `What is written in ${field.name}?`
    : fields.length > 1 ? `These ${count(fields.length)} look alike: are ${fields.length === 2 ? "both" : "all"} of them ${best === "" ? "blank" : label(field, best)}?`
    : `${field.name}: ${best === "" ? "is it blank" : isTick(field) ? "is it ticked" : `is it ${label(field, best)}`}?`;
  const extra = [...(field.marks.length && field.marks.length <= 8 ? field.marks : []), ""].filter((mark) => !marks.includes(mark));
  const key = (mark) => (mark === "" ? "." : mark.length === 1 && !isTick(field) ? mark : null);
  const button = (mark, first) => make("button", { type: "button", className: first ? "button primary" : "button", onclick: () => answer(mark) }, label(field, mark),
    !narrow && (first ? make("kbd", {}, "Enter") : marks.length && key(mark) !== mark && key(mark) ? make("kbd", {}, key(mark)) : null) || null);
  const free = !field.marks.length || field.marks.length > 8;
  const input = free && make("input", { className: "field", id: "said", type: "text", autocomplete: "off", maxLength: 60, inputMode: field.kind === "number" ? "numeric" : "text", "aria-label": marks.length ? "Something else" : "What is written" });
  const send = () => {
    const text = accepted(field, input.value);
    if (text === null || (field.marks.length && text && !field.marks.includes(text))) { act.refuse(field); input.select(); return; }
    if (input.value.trim()) answer(text);
  };
  const form = input && make("form", { className: "asking-form", onsubmit: (event) => { event.preventDefault(); send(); } }, input,
    make("button", { type: "submit", className: marks.length ? "button" : "button primary" }, "OK"));
  const typed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === input) return;
    const text = event.key.length === 1 && event.key !== " " ? accepted(field, event.key) : null;
    const done = event.key === "Backspace" ? act.undo
      : event.key === "." ? () => answer("")
      : isTick(field) && event.key.toLowerCase() === "x" ? () => answer("x")
      : text && (isFull(field, text) || (field.length === 1 && field.marks.includes(text))) ? () => answer(text) : null;
    if (done) { event.preventDefault(); done(); }
    else if (input && event.key.length === 1 && !" ?".includes(event.key)) input.focus(); // the key is typed there
    else if (!/^\d$/.test(event.key)) return;
    event.stopPropagation(); // digits do not lead to another page
  };
  return make("div", { className: "question", onkeydown: typed },
    make("div", { className: "crops" }, shown.map((id) => crop(photo, blank, id, room)), fields.length > shown.length ? make("span", { className: "caption" }, `and ${count(fields.length - shown.length)} more`) : null),
    make("div", { className: "answers" }, make("p", { className: "asked", id: "asked" }, words),
      make("div", { className: "choices", role: "group", "aria-labelledby": "asked" }, marks.map((mark, at) => button(mark, at === 0)), marks.length ? null : form, (photo.names?.[fields[0]] ?? []).slice(0, MOST_NAMES).map((name) => button(name, false)), extra.map((mark) => button(mark, false)), marks.length && form || null,
        fields.length > 1 ? make("button", { type: "button", className: "button quiet-button", onclick: () => act.apart(fields) }, "One by one") : null,
        make("button", { type: "button", className: "button quiet-button", onclick: () => act.later(fields) }, "Later"))));
}

/** The signs on a page: a dashed frame and a question mark on what is doubtful, a tick on what a person confirmed. */
export function signs(photo, fields, mm) {
  const asked = new Set((photo.lost ? null : question(photo))?.fields);
  return fields.flatMap((field) => {
    const [x, y, w, h] = field.box;
    const r = Math.min(Math.max(1.1, 7 * mm), Math.min(w, h) * 0.3);
    const [cx, cy] = [x + r * 0.5, y + r * 0.5];
    if (isDoubtful(photo, field.id)) {
      return [shape("g", { class: asked.has(field.id) ? "doubt asked" : "doubt" }, shape("rect", { x: x - 0.2, y: y - 0.2, width: w + 0.4, height: h + 0.4, rx: 0.8 }),
        shape("circle", { cx, cy, r }), shape("text", { x: cx, y: cy, "font-size": r * 1.6 }, "?"))];
    }
    return isConfirmed(photo, field.id) ? [shape("g", { class: "confirmed" }, shape("circle", { cx, cy, r }),
      shape("path", { d: `M${cx - r * 0.45} ${cy}l${r * 0.35} ${r * 0.4}l${r * 0.6} ${-r * 0.8}` }))] : [];
  });
}

/** The readings beside the handwriting: each mark small at the lower right of its box. */
export function readings(fields, marks) {
  return fields.filter((field) => marks[field.id] && !field.options.length).map((field) => {
    const [x, y, w, h] = field.box;
    const text = isTick(field) ? "×" : marks[field.id].replace("-", "−");
    const size = Math.max(1.7, Math.min(h * 0.42, 3.2));
    const wide = Math.min(Math.max(size * 0.9, text.length * size * 0.58 + 0.6), w);
    const [left, top] = [x + w - wide - 0.2, y + h - size - 0.2];
    return shape("g", { class: "read" }, shape("rect", { x: left, y: top, width: wide, height: size, rx: 0.5 }),
      shape("text", { x: left + wide / 2, y: top + size / 2, "font-size": size * 0.92, ...(text.length * size * 0.58 > wide ? { textLength: wide - 0.4, lengthAdjust: "spacingAndGlyphs" } : {}) }, text));
  });
}

/** What screen readers say of a field besides its mark. */
export const words = (photo, id) => (isDoubtful(photo, id) ? ["doubtful"] : isConfirmed(photo, id) ? ["confirmed by you"] : []);
