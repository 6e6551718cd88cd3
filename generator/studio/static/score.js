import { $, $$, Refused, ask, icon, key, listen, make, project, say, status } from "./studio.js";
import { bar, facts, isDoubtful, isPicture, merge, pictureOf, question, readings, remembered, signs, words as wordsOf } from "./photo.js";
import { accepted, around, combed, described, fieldsOf, isFull, isTick, keysOf, layOut, middle, optionAt, outline, ring, ringed, shape, sheetsFor, write } from "./sheet.js";

const PAUSE = 100;
const AGAIN = 3000;
const at = (path) => `/g/${project}/score/${path}`;
const narrow = matchMedia("(max-width: 799px)");
const local = ["127.0.0.1", "localhost"].includes(location.hostname);
const name = $("#score").dataset.sheet;
let code = new URLSearchParams(location.search).get("code") ?? "";
const place = `score:${project}:${name}`;
const today = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 10);
const fresh = () => ({ marks: { ...blank?.marks }, extra: {}, left: [], checked: false, more: 0 });

let blank;           // the sheet as it is printed
let state;           // what is filled in: { players, active, date, pending }
let answer = { problems: [], players: [], headline: "", over: true, sheets: [] };
let fields = [];
let inputs = new Map();
let pages = [];
let focused = null;  // the field in which somebody types
let typing = false;  // since it was entered
let chosen = 0;      // the number of the chosen problem
let drawing = null;  // what is drawn into the grid: { about, boxes }
let rung = new Set();
let done = [];       // what was typed, to take it back

const player = () => state.players[state.active];
const plural = (count, word, words = `${word}s`) => `${count} ${count === 1 ? word : words}`;
const points = (count) => String(count).replace("-", "−");

// ---- kept on this machine

function keep(reachable = true) {
  try {
    localStorage.setItem(place, JSON.stringify(state));
    if (reachable && !$("#status").classList.contains("lost")) status("All changes kept on this machine");
  } catch {
    status("This browser keeps no data; save the sheet before you close it.", true);
  }
}

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(place));
    if (found?.players?.length) return { ...found, players: found.players.map((each) => ({ ...fresh(), ...each })) };
  } catch { /* nothing kept, or not readable */ }
  return { players: [fresh()], active: 0, date: today() };
}

// ---- the sheet

function show() {
  const { marks, more } = player();
  fields = fieldsOf(blank, Math.max(sheetsFor(blank, marks), 1 + (more ?? 0)));
  ({ pages, inputs } = layOut(blank, fields, handled));
  for (const page of pages) $(".paper", page).addEventListener("error", () => page.classList.contains("photo") && readSoon(0)); // the server may have been started again
  const further = Object.keys(blank.continues).length > 0 && make("button", { className: "button more-pages", type: "button", onclick: addPage }, icon("plus"), "Continue on another sheet");
  $("#pages").replaceChildren(...pages, ...(further ? [further] : []));
  resize();
  fill();
  showPhoto();
}

function addPage() {
  player().more = Math.max(sheetsFor(blank, player().marks), 1 + (player().more ?? 0));
  keep();
  show();
  pages.at(-1).scrollIntoView({ block: "start" });
}

/** Sets the size of the pages: the whole sheet if it can be read then, otherwise its width. */
function resize() {
  const stage = $("#stage");
  const [width, height] = blank.pages[0] ? [blank.pages[0].width, blank.pages[0].height] : [210, 297];
  const whole = (stage.clientHeight - 48) * (width / height);
  const wide = narrow.matches ? stage.clientWidth : Math.min(stage.clientWidth - 48, Math.max(whole, width * 3.6), 1000);
  for (const page of pages) {
    page.style.setProperty("--page-width", `${wide}px`);
    page.style.setProperty("--mm", `${wide / width}px`);
    page.load(wide * devicePixelRatio * (narrow.matches ? 2 : 1), pictureOf(player().photo, blank, page.number));
  }
  follow();
}

/** Puts the marks of the player into the fields. */
function fill() {
  const { marks } = player();
  const drawn = answer.sheets[state.active] ?? {};
  for (const [id, input] of inputs) {
    write(input, marks[id] ?? "", drawn.marks?.[id]);
    if (input.type === "text") input.placeholder = drawn.sums?.[id] ?? "";
  }
  ink(drawn);
}

/** What screen readers say of the fields. */
function labels() {
  const shown = visible();
  for (const [id, input] of inputs) {
    const numbers = shown.filter((problem) => covers(problem, input.field)).map((problem) => `problem ${problem.shown}`);
    const empty = player().marks[id] || isTick(input.field) ? [] : ["empty"];
    input.setAttribute("aria-label", [input.field.name, ...empty, `takes ${input.field.takes}`, ...wordsOf(player().photo, id), ...numbers].join(", "));
    if (numbers.length) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
  }
}

/** Sets a mark. With a photo, it is what is on paper, unless it is a `correction`; marks of one `batch` are taken back together. */
function set(id, text, { correction = false, batch = 0 } = {}) {
  const { marks, photo } = player();
  if (done.at(-1)?.id === id && typing) done.at(-1).text = text;
  else done.push({ sheet: state.active, id, before: marks[id] ?? "", text, batch, answers: photo && { ...photo.answers }, changed: photo && [...photo.changed] });
  done.splice(0, done.length - 200);
  if (text) marks[id] = text; else delete marks[id];
  if (photo?.fields[id]) {
    if (correction) photo.changed.push(id);
    else photo.answers[id] = text;
    readSoon();
  }
  keep();
  soon();
}

/** Takes back the last mark. */
function undo() {
  const last = done.pop();
  if (!last || !state.players[last.sheet]) { say("There is nothing to take back"); return; }
  if (last.sheet !== state.active) activate(last.sheet);
  typing = false;
  set(last.id, last.before);
  done.pop();
  const { photo } = player();
  if (photo && last.answers) Object.assign(photo, { answers: last.answers, changed: last.changed });
  if (last.batch && done.at(-1)?.batch === last.batch) { undo(); return; }
  fill();
  showPhoto();
  if (photo && $("#asking").contains(document.activeElement)) return;
  if (inputs.has(last.id)) enter(inputs.get(last.id).field);
}

// ---- typing

function handled(event) {
  const input = event.target.closest?.(".box");
  if (!input) return;
  const act = { focusin: entered, focusout: left, input: typed, keydown: pressed, pointerdown: touched, pointerover: touched }[event.type];
  act(input, event);
}

/** Shows the sheet of another random set, if its code is one. */
async function follow_code(text) {
  if (text === code) return;
  code = text;
  await redraw(true);
}

/** From now on, problems in the part of a field are shown. */
function leave(field) {
  if (!player().left.includes(field.part)) player().left.push(field.part);
}

function entered(input) {
  const { field } = input;
  const before = focused;
  focused = field;
  typing = false;
  if (before && before.part !== field.part) leave(before);
  write(input, player().marks[field.id] ?? "");
  if (input.type === "text") {
    input.inputMode = narrow.matches && keysOf(field) ? "none" : field.kind === "number" || field.kind === "die" ? "numeric" : "text";
    input.select();
  }
  hint();
  follow();
  if (field.letters || player().photo) ink(answer.sheets[state.active] ?? {});
  if (player().photo) showPhoto();
  if (before && before.part !== field.part) showProblems();
}

function left(input, event) {
  typing = false;
  if (event.relatedTarget && !event.relatedTarget.closest(".box")) leave(input.field);
  if (input.field.kind === "code") follow_code(input.value.trim());
  write(input, player().marks[input.field.id] ?? "", (answer.sheets[state.active] ?? {}).marks?.[input.field.id]);
  if (input.field.letters || player().photo) ink(answer.sheets[state.active] ?? {});
  showProblems();
}

function typed(input) {
  const { field } = input;
  if (drawing?.about.grid === field.grid) { write(input, player().marks[field.id] ?? ""); return; }
  typing = true;
  if (isTick(field)) { set(field.id, input.checked ? "x" : ""); return; }
  const text = accepted(field, input.value) ?? accepted(field, input.value.slice(-1));
  if (text === null) {
    refuse(input);
    return;
  }
  if (text !== input.value) input.value = text;
  write(input, text);
  set(field.id, text);
  if (field.options.length) ink(answer.sheets[state.active] ?? {});
  hint();
  if (isFull(field, text)) go(1);
}

function refuse(input) {
  write(input, player().marks[input.field.id] ?? "");
  input.classList.add("refused");
  setTimeout(() => input.classList.remove("refused"), 400);
  say(`${input.field.name} takes ${input.field.takes}`);
}

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

function pressed(input, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (drawing && drawKey(input.field, event)) { event.preventDefault(); return; }
  if (event.key === "Enter") { event.preventDefault(); go(event.shiftKey ? -1 : 1); return; }
  if (isTick(input.field) && event.key.toLowerCase() === "x") { input.checked = !input.checked; set(input.field.id, input.checked ? "x" : ""); event.preventDefault(); return; }
  const arrow = ARROWS[event.key];
  if (!arrow || (input.tagName === "SELECT" && arrow[1])) return;
  const caret = input.type === "text" && input.value.length > 2 && arrow[0];
  const whole = caret && input.selectionEnd - input.selectionStart === input.value.length;
  if (caret && !whole && input.selectionStart !== (arrow[0] > 0 ? input.value.length : 0)) return;
  const next = beside(input.field, arrow);
  if (next) { event.preventDefault(); enter(next); }
}

/** The nearest field in a direction, on the same page or the next one. */
function beside(field, [across, down]) {
  const [x, y] = middle(field.box);
  let best = null;
  for (const other of fields) {
    if (other.page !== field.page || other === field) continue;
    const [ox, oy] = middle(other.box);
    const ahead = (ox - x) * across + (oy - y) * down;
    const aside = Math.abs((ox - x) * down) + Math.abs((oy - y) * across);
    if (ahead < 1 || aside > ahead * 2) continue;
    const far = ahead + aside * 3;
    if (!best || far < best.far) best = { far, other };
  }
  return best?.other;
}

function enter(field) {
  inputs.get(field.id)?.focus({ preventScroll: narrow.matches });
  if (!narrow.matches) inputs.get(field.id)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Goes to the next field in the order of the paper, or the one before. */
function go(step) {
  const index = fields.indexOf(focused) + step;
  if (fields[index]) enter(fields[index]);
  else if (step > 0) $("#save").focus();
}

function hint() {
  if (!focused) return;
  if (drawing?.about.grid === focused.grid) {
    $("#hint").replaceChildren(make("span", {}, make("b", {}, focused.name)), make("span", {}, make("kbd", {}, "Enter"), drawing.about.shapes_count ? "choose the box" : "draw to the box", make("kbd", {}, "Backspace"), "take back the last", make("kbd", {}, "Esc"), "done"));
    pad();
    return;
  }
  const { name, takes, tip } = focused;
  const words = isTick(focused) ? "takes a tick: Space" : `takes ${takes}`;
  $("#hint").replaceChildren(make("span", {}, make("b", {}, name), ` ${words}`), tip ? make("span", {}, tip) : "",
    make("span", {}, make("kbd", {}, "Tab"), "next box", make("kbd", {}, "Shift Tab"), "the one before"));
  pad();
}

// ---- judging

let answered = false;
let timer = 0;
let asked = 0;

function soon(wait = PAUSE) {
  clearTimeout(timer);
  timer = setTimeout(judge, wait);
}

const filling = (more = {}) => ({ sheet: name, sheets: state.players.map(({ marks, extra }) => ({ marks, extra })), ...more });

async function judge() {
  const number = ++asked;
  try {
    const found = await ask(at("judge"), filling());
    if (number !== asked) return;
    answer = found;
    answered = true;
    if ($("#status").classList.contains("lost")) status("All changes kept on this machine");
    fill();
    showAnswer();
    if (state.pending) save();
  } catch (error) {
    if (error instanceof Refused) { refused("This sheet cannot be scored", error.problems); return; }
    status(narrow.matches ? "Kept on this phone until the table is back." : "Pencilbox has stopped. Start it again; this page goes on.", true);
    soon(AGAIN);
  }
}
addEventListener("online", () => soon());

/** The fields that a problem is about: themselves, or those inside a part. */
function fieldsAt(where) {
  const found = where.map((id) => {
    for (let part = id; part; part = part.split(".").slice(0, -1).join(".")) {
      if (inputs.has(part)) return [inputs.get(part).field];
      const inside = fields.filter((field) => field.id.startsWith(`${part}.`));
      if (inside.length) return inside;
    }
    return [];
  });
  return found.filter((each) => each.length);
}

const covers = (problem, field) => problem.sheet === state.active && problem.groups.some((group) => group.length === 1 && group[0] === field);

/** Whether a problem waits: it is about what is still blank, or about a part that is being filled in. */
function waits(problem) {
  const { checked, left: leftParts } = player();
  if (typing && focused && problem.where.includes(focused.id) && focused.length > 1) return true;
  if (problem.groups.flat().some((field) => isDoubtful(player().photo, field.id))) return true;
  if (checked || (problem.unread && problem.where[0] !== focused?.id)) return false;
  if (problem.later || problem.unread) return true;
  const parts = problem.groups.flat().map((field) => field.part);
  return parts.some((part) => !leftParts.includes(part));
}

/** The problems on the active sheet that are shown, each with its number. */
function visible() {
  return answer.problems.filter((problem) => problem.shown);
}

function numbered() {
  let shown = 0;
  let waiting = [];
  for (const problem of answer.problems) {
    problem.groups = problem.sheet === state.active ? fieldsAt(problem.where) : [];
    problem.shown = problem.sheet === state.active && !waits(problem) ? ++shown : 0;
    if (problem.sheet === state.active && !problem.shown) waiting.push(problem);
  }
  return waiting;
}

let told = 0;
function showAnswer() {
  showDrawings();
  showProblems();
  const count = visible().length;
  if (count !== told) say(count ? plural(count, "problem") : "No problems");
  told = count;
  showPoints();
  showPlayers();
}

function showProblems() {
  const waiting = numbered();
  const shown = visible();
  chosen = shown.some((problem) => problem.shown === chosen) ? chosen : 0;
  const own = state.players.length > 1 && blank.player ? ` on ${nameOf(state.active)}’s sheet` : "";
  $("#next-key").hidden = !shown.length;
  $("#problem-title").textContent = shown.length ? plural(shown.length, "problem") + own : answer.players.length ? `No problems${own}` : "Problems";
  $("#problems").replaceChildren(...shown.map(problemItem));
  const missing = new Set(waiting.filter((problem) => problem.later).flatMap((problem) => problem.where)).size;
  const doubts = waiting.some((problem) => problem.groups.flat().some((field) => isDoubtful(player().photo, field.id)));
  const words = doubts ? "What is doubtful on the photo is checked when you have answered the questions. " : missing ? `Not finished: ${plural(missing, "box is", "boxes are")} still empty. ` : waiting.length ? "The part you are filling in is checked when you go on. " : "";
  $("#unfinished").hidden = !words && answer.players.length > 0;
  $("#unfinished").replaceChildren(words || "They are listed here and circled on the sheet as you type.", words && !doubts && make("button", { type: "button", className: "link", onclick: checkAll }, "Check everything now") || "");
  rings(shown);
  labels();
  pad();
  showResultButton();
}

function checkAll() {
  player().checked = true;
  keep();
  showAnswer();
  fill();
}

function problemItem(problem) {
  const fix = problem.fix && make("button", { type: "button", className: "button", onclick: () => { set(problem.fix.field, problem.fix.value, { correction: true }); fill(); showPhoto(); } }, `Write ${points(problem.fix.value)}`);
  const rule = problem.text && make("details", { className: "more rule" }, make("summary", {}, "Rule"), problem.text);
  return make("li", { className: `problem${problem.shown === chosen ? " chosen" : ""}` },
    make("button", { type: "button", className: "say", onclick: () => choose(problem) },
      make("span", { className: `number${problem.severity === "warning" ? " warning" : ""}` }, String(problem.shown)), make("span", {}, problem.message)),
    problem.hint && make("p", { className: "more" }, problem.hint), rule || null, fix);
}

function choose(problem) {
  chosen = problem.shown;
  const field = problem.groups[0]?.[0];
  if (field) enter(field);
  $(".three > .right").classList.remove("open");
  showProblems();
  say(`Problem ${problem.shown}: ${problem.message}`);
}

function nextProblem() {
  const shown = visible();
  const other = answer.problems.find((problem) => problem.sheet !== state.active && !problem.later);
  if (other && chosen >= shown.length) { // the next sheet with a problem
    activate(other.sheet);
    checkAll();
    nextProblem();
    return;
  }
  if (!shown.length) { say("No problems"); return; }
  choose(shown[chosen % shown.length]);
}

// ---- on top of the paper

function rings(shown) {
  const now = new Set();
  for (const page of pages) {
    const layer = $(".rings", page);
    const mm = page.size[0] / (page.clientWidth || 640) / (narrow.matches ? view.zoom : 1);
    const badges = new Map();
    const drawn = shown.flatMap((problem) => problem.groups.flatMap((group, index) => {
      const here = group.filter((field) => field.page === page.number);
      if (!here.length) return [];
      const box = around(here.map((field) => field.box));
      const path = ring(box, box[0] + box[1]);
      const id = `${problem.message}${index}`;
      now.add(id);
      const fresh = rung.has(id) ? {} : { pathLength: 1 };
      const parts = [shape("path", { d: path, class: "halo" }), shape("path", { d: path, class: rung.has(id) ? "pen" : "pen new", ...fresh })];
      if (index === 0) {
        const spot = `${box[0] + box[2]},${box[1]}`;
        const beforeHere = badges.get(spot) ?? 0;
        badges.set(spot, beforeHere + 1);
        const [x, y] = [Math.min(box[0] + box[2] + 0.6 - beforeHere * 20 * mm, page.size[0] - 10 * mm), Math.max(box[1] - 0.6, 10 * mm)];
        parts.push(shape("circle", { cx: x, cy: y, r: 10 * mm }), shape("text", { x, y, "font-size": 12 * mm }, String(problem.shown)));
      }
      return [shape("g", { class: `${problem.severity}${problem.shown === chosen ? " chosen" : ""}` }, ...parts)];
    }));
    layer.style.setProperty("--px", mm);
    layer.replaceChildren(...drawn);
  }
  rung = now;
}

/** A mark as it is on paper: where there is room for a digit or a ring instead of a name, the number of the player. */
function onPaper({ options, letters }, mark) {
  if (!mark || options.includes(mark) || (letters !== 1 && !options.length)) return mark;
  const name = Object.keys(player().marks).find((id) => /^players\.\d+(\.name)?$/.test(id) && player().marks[id] === mark);
  return name?.split(".")[1] ?? mark;
}

const onPaperAll = () => Object.fromEntries(fields.map((field) => [field.id, onPaper(field, player().marks[field.id])]));
const pageCombs = (page) => [...inputs.values()].filter((input) => input.classList.contains("comb") && input !== document.activeElement && input.field.page === page.number)
  .map((input) => ({ field: input.field, value: onPaper(input.field, player().marks[input.field.id]) ?? "" }));

/** The names of the players on a sheet on which a log continues. */
function repeated(page) {
  const own = blank.fields.filter((field) => field.page === page.number % blank.pages.length && field.kind === "text" && !blank.continues[field.id.split(".")[0]]);
  return own.filter((field) => player().marks[field.id]).map((field) => {
    const [x, y] = middle(field.box);
    return shape("text", { x, y, "font-size": Math.min(field.box[3] * 0.62, 8) }, player().marks[field.id]);
  });
}

function ink(drawn) {
  const boxOf = (id) => inputs.get(id)?.field;
  for (const page of pages) {
    const on = (ids) => ids.map(boxOf).filter((field) => field?.page === page.number).map((field) => field.box);
    const line = (ids) => { const dots = on(ids).map((box) => middle(box).join(" ")); return dots.length > 1 ? [shape("path", { class: "line", d: `M${dots.join("L")}` })] : []; };
    const parts = (drawn.lines ?? []).filter(() => !drawing || drawing.about.shapes_count).flatMap(line);
    for (const ids of drawn.outlines ?? []) if (on(ids).length) parts.push(shape("path", { class: "outline", d: outline(on(ids)) }));
    if (page.number >= blank.pages.length) parts.push(...repeated(page));
    const seen = page.classList.contains("photo");
    if (seen) parts.push(...readings(fields.filter((field) => field.page === page.number && inputs.get(field.id) !== document.activeElement), onPaperAll()));
    else for (const { field, value } of pageCombs(page)) parts.push(...combed(field, value));
    for (const { field } of inputs.values()) if (field.options.length && field.page === page.number) parts.push(...ringed(field, onPaper(field, player().marks[field.id])));
    for (const [x, y, w, h] of on(drawn.crossed ?? [])) parts.push(shape("path", { class: "crossed", d: `M${x + w * 0.22} ${y + h * 0.8}L${x + w * 0.78} ${y + h * 0.2}` }));
    if (drawing) {
      const boxes = drawing.boxes.map((box) => `${drawing.about.grid}.${box}`);
      for (const [x, y, w, h] of on(boxes)) parts.push(shape("path", { class: "chosen", d: `M${x} ${y}h${w}v${h}h${-w}z` }));
      if (!drawing.about.shapes_count) parts.push(...line(boxes));
    }
    $(".ink", page).replaceChildren(...parts);
  }
}

// ---- drawing into the grid

let drawingsShown = "";
function showDrawings(anew = false) {
  const usable = blank.drawn.filter((about) => !about.when || player().marks[about.when] === "x" || player().extra[about.id]?.length);
  const now = `${state.active} ${usable.map((about) => about.id)}`;
  if (now === drawingsShown && !anew) return;
  drawingsShown = now;
  $("#drawings").hidden = !usable.length;
  $("#drawings").replaceChildren(...usable.map((about) => {
    const own = player().extra[about.id] ?? [];
    const active = drawing?.about === about;
    const title = about.id[0].toUpperCase() + about.id.slice(1);
    const start = make("button", { type: "button", className: "button", "aria-pressed": String(active), onclick: () => (active ? stopDrawing() : startDrawing(about)) },
      active ? "Done" : about.shapes_count ? "Outline a block" : own.length ? "Draw it again" : "Draw the snake");
    const help = active && make("p", { className: "caption" }, about.shapes_count ? "Choose the boxes with Enter, the mouse or a finger." : "Go from box to box with the arrows and press Enter on each, or draw with the mouse or a finger. Backspace takes back the last box.");
    const add = active && about.shapes_count && make("div", { className: "drawing" },
      make("label", { htmlFor: "shape", className: "caption" }, "Its shape"),
      make("select", { id: "shape", className: "field" }, make("option", { value: "" }, "As its boxes lie"), Object.entries(about.shapes).map(([value, label]) => make("option", { value }, label))),
      make("button", { type: "button", className: "button", disabled: !drawing.boxes.length, onclick: addShape }, "Add this block"));
    const drawn = about.shapes_count
      ? own.map((block, index) => make("li", {}, make("span", {}, `${about.shapes[block.shape] ?? block.shape}: ${[].concat(block.cells).join(" ")}`), eraser(`Remove the block ${block.shape}`, () => { own.splice(index, 1); redrawn(); })))
      : own.length ? [make("li", {}, make("span", {}, own.join(" ")), eraser("Remove the snake", () => { delete player().extra[about.id]; redrawn(); }))] : [];
    return make("div", { className: "drawing" }, make("h2", {}, title), drawn.length ? make("ul", {}, drawn) : null, start, help || null, add || null);
  }));
}

const eraser = (label, onclick) => make("button", { type: "button", className: "tool", "aria-label": label, onclick }, icon("erase"));

function startDrawing(about) {
  drawing = { about, boxes: [] };
  pinned = null;
  $("#sheets").classList.remove("open");
  $("#pages").classList.add("drawing-mode");
  for (const [, input] of inputs) if (input.field.grid === about.grid) input.dataset.grid = about.grid;
  showDrawings(true);
  const grid = fields.filter((field) => field.grid === about.grid);
  enter(grid.find((field) => player().marks[field.id]) ?? grid[0]);
  say(`Drawing. ${about.tip}`);
}

function stopDrawing() {
  drawing = null;
  pinned = null;
  $("#pages").classList.remove("drawing-mode");
  redrawn();
  hint();
}

function redrawn() {
  keep();
  showDrawings(true);
  ink(answer.sheets[state.active] ?? {});
  soon();
}

async function addShape() {
  const { about, boxes } = drawing;
  drawing.boxes = [];
  outlined(player(), about, $("#shape").value || (await shapeOf(about, boxes)), boxes);
  fill();
  redrawn();
}

function outlined({ marks, extra }, about, kind, cells) {
  extra[about.id] = [...(extra[about.id] ?? []), { shape: kind, cells }];
  if (inputs.has(`${about.id}.${kind}`)) marks[`${about.id}.${kind}`] = "x";
}

/** The shape that these boxes have: the one with which the judge finds the fewest problems. */
async function shapeOf(about, boxes) {
  let best = { problems: Infinity, kind: Object.keys(about.shapes)[0] };
  for (const kind of Object.keys(about.shapes)) {
    const tried = structuredClone({ marks: player().marks, extra: player().extra });
    outlined(tried, about, kind, boxes);
    const { problems } = await ask(at("judge"), { sheet: name, sheets: [tried] }).catch(() => ({ problems: [] }));
    if (problems.length < best.problems) best = { problems: problems.length, kind };
  }
  return best.kind;
}

/** Adds a box to what is drawn, or takes it back. */
function draw(field, again = true) {
  const box = field.id.slice(drawing.about.grid.length + 1);
  const { boxes } = drawing;
  if (boxes.at(-1) === box || (drawing.about.shapes_count && boxes.includes(box))) { if (again) boxes.splice(boxes.indexOf(box), 1); }
  else if (!boxes.includes(box)) boxes.push(box);
  if (!drawing.about.shapes_count) player().extra[drawing.about.id] = [...boxes];
  say(boxes.length ? boxes.join(" ") : "Nothing is drawn");
  redrawn();
}

function drawKey(field, event) {
  if (event.key === "Escape") { stopDrawing(); return true; }
  if (field.grid !== drawing.about.grid) return false;
  if (event.key === "Enter" || event.key === " ") { draw(field); return true; }
  if (event.key === "Backspace" && drawing.boxes.length) { draw({ id: `${field.grid}.${drawing.boxes.at(-1)}` }); return true; }
  return event.key.length === 1;
}

function touched(input, event) {
  if (input.field.options.length && event.type === "pointerdown") ringAt(input, event);
  if (!drawing || input.field.grid !== drawing.about.grid) return;
  if (event.type === "pointerdown") {
    input.releasePointerCapture?.(event.pointerId);
    draw(input.field);
    event.preventDefault();
  } else if (event.buttons) draw(input.field, false);
}

/** Rings the box that is touched, or takes its ring away. */
function ringAt(input, event) {
  const mark = optionAt(input, event);
  if (mark === null) return;
  const { id } = input.field;
  typing = false;
  set(id, player().marks[id] === mark ? "" : mark);
  write(input, player().marks[id] ?? "");
  ink(answer.sheets[state.active] ?? {});
}

// ---- points

const nameOf = (index) => (blank.player && state.players[index].marks[blank.player]) || `Player ${index + 1}`;
const ordinal = (rank) => `${rank}${["th", "st", "nd", "rd"][rank % 100 > 10 && rank % 100 < 14 ? 0 : rank % 10] ?? "th"}`;

function showPoints() {
  const { players, headline } = answer;
  const words = headline.replace(/^As the sheet stands, /, "").replace(/\.$/, "");
  $("#stands").textContent = state.players.length > 1 && blank.player ? "As the sheets stand" : "As the sheet stands";
  const only = players.length === 1 ? `${players[0].name}: ${points(players[0].total)} ${Math.abs(players[0].total) === 1 ? "point" : "points"}` : "";
  const filled = state.players.some((each) => Object.keys(each.marks).length);
  const empty = answer.problems.some((problem) => problem.unread) ? "This sheet cannot be read yet" : filled && answered ? "This sheet has no points" : "Nothing is filled in yet";
  const several = players.map((each) => `${each.name} ${points(each.total)}`).join(", ");
  $("#headline").textContent = words || only || (several || empty);
  const labels = [...new Set(players.flatMap((each) => each.lines.map((line) => line.label)))];
  const active = (each) => (blank.player ? each.sheet === state.active && players.length > 1 : false);
  const cell = (tag, each, text, more = {}) => make(tag, { className: active(each) ? "active" : "", ...more }, text);
  const row = (label, value, kind = "") => make("tr", { className: kind }, make("th", { scope: "row" }, label), players.map((each) => cell("td", each, value(each))));
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  $("#points").hidden = !players.length;
  $("#points").replaceChildren(make("thead", {}, make("tr", {}, make("td", {}), players.map((each) => cell("th", each, each.name, { scope: "col" })))),
    make("tbody", {}, labels.map((label) => row(capital(label), (each) => points(each.lines.find((line) => line.label === label)?.points ?? ""))),
      row("Total", (each) => points(each.total), "total"),
      players.some((each) => each.rank) ? row("Rank", (each) => ordinal(each.rank), "rank") : null));
  const made = players.filter((each) => !blank.player || each.sheet === state.active).filter((each) => each.lines.some((line) => line.parts.length));
  $("#explained").hidden = !made.length;
  $("#parts").replaceChildren(...made.map((each) => make("section", {}, players.length > 1 ? make("h2", {}, each.name) : null,
    make("ul", {}, each.lines.flatMap((line) => line.parts.map(({ text, points: count }) => make("li", {}, make("span", {}, make("b", {}, capital(line.label)), ` ${text}`), make("span", {}, points(count)))))))));
}

function showPlayers() {
  $("#players").hidden = !blank.player;
  showPhonePlayers();
  if (!blank.player) return;
  $("#player-list").replaceChildren(...state.players.map((each, index) => {
    const result = answer.players.find((score) => score.sheet === index);
    const wrong = answer.problems.filter((problem) => problem.sheet === index && (index === state.active ? problem.shown : !problem.later && !problem.unread)).length;
    const filled = Object.keys(each.marks).length;
    return make("li", { className: "player-row" },
      make("button", { type: "button", className: "player", "aria-current": index === state.active ? "true" : null, onclick: () => activate(index) },
        make("img", { alt: "", src: blank.pages[0] ? `/g/${project}/picture/${blank.pages[0].key}/200.png` : "" }),
        make("span", {}, make("b", {}, nameOf(index)), make("small", { className: wrong ? "wrong" : "" }, wrong ? plural(wrong, "problem") : filled ? "no problems" : "blank")),
        make("output", {}, result ? points(result.total) : "")),
      state.players.length > 1 && make("button", { type: "button", className: "tool remove", "aria-label": `Remove ${nameOf(index)}’s sheet`, title: "Remove this sheet", onclick: () => remove(index) }, icon("erase")));
  }));
}

function showPhonePlayers() {
  $("#phone-players").hidden = state.players.length < 2;
  $("#show-result").classList.toggle("alone", state.players.length < 2);
  $("#phone-players").replaceChildren(...state.players.map((each, index) => make("button", { type: "button", "aria-pressed": String(index === state.active), onclick: () => activate(index) }, nameOf(index))));
}

function activate(index) {
  if (focused) leave(focused);
  state.active = index;
  focused = null;
  drawing = null;
  chosen = 0;
  keep();
  const draw = () => { show(); showBeside(); showAnswer(); };
  if ((player().photo?.paper ?? blank.paper) === blank.paper) draw(); else load(true).then(draw);
}

function addPlayer() {
  const first = state.players[0];
  const next = fresh();
  for (const about of blank.drawn) if (first.marks[about.when] === "x") next.marks[about.when] = "x";
  state.players.push(next);
  activate(state.players.length - 1);
  enter(fields.find((field) => field.id === blank.player) ?? fields[0]);
  soon();
}

function remove(index) {
  const [gone] = state.players.splice(index, 1);
  activate(Math.min(state.active, state.players.length - 1));
  soon();
  notice(`Removed the sheet.`, () => { state.players.splice(index, 0, gone); activate(index); soon(); });
}

/** Says what was done, with a way back. */
function notice(words, undo) {
  $("#refused").hidden = false;
  $("#refused").classList.add("done");
  $("#refused").replaceChildren(make("div", { className: "row" }, make("span", {}, words),
    make("span", {}, undo ? make("button", { type: "button", className: "button", onclick: () => { undo(); $("#refused").hidden = true; } }, "Undo") : null,
      " ", make("button", { type: "button", className: "button", onclick: () => { $("#refused").hidden = true; } }, "Close"))));
  say(words);
}

function refused(title, problems) {
  $("#refused").hidden = false;
  $("#refused").classList.remove("done");
  $("#refused").replaceChildren(make("h2", {}, title),
    make("ul", {}, problems.map((problem) => make("li", {}, [problem.line ? `Line ${problem.line}: ` : "", problem.message, problem.hint ? `; ${problem.hint}` : ""].join("")))),
    make("button", { type: "button", className: "button", onclick: () => { $("#refused").hidden = true; } }, "Close"));
  say(`${title}. ${problems.map((problem) => problem.message).join(". ")}`);
}

// ---- what is not on the paper

function showBeside() {
  const { marks, extra } = player();
  const others = Object.keys(extra).filter((part) => !blank.beside.some((each) => each.id === part) && !blank.drawn.some((each) => each.id === part));
  $("#beside").hidden = !blank.beside.length && !others.length;
  $("#beside-fields").replaceChildren(...blank.beside.map((each) => {
    const values = each.extra ? extra : marks;
    const store = (value) => { if (value) values[each.id] = value; else delete values[each.id]; keep(); soon(); };
    const input = each.kind === "tick" ? make("input", { type: "checkbox", role: "switch", checked: values[each.id] === "x", onchange: () => store(input.checked ? "x" : "") })
      : make("input", { className: "field", type: "text", autocomplete: "off", value: typeof values[each.id] === "string" ? values[each.id] : "", oninput: () => store(input.value.trim()) });
    return make("label", { className: each.kind === "tick" ? "switch" : "" }, make("span", {}, each.label), input, each.tip ? make("small", {}, each.tip) : null);
  }), ...others.map((part) => make("p", { className: "caption" }, `The file’s “${part}” is kept and checked.`)));
  showDrawings(true);
}

// ---- files

async function open(files) {
  const others = [];
  for (const file of files) {
    try {
      $("#refused").hidden = true;
      const before = others.findLast((found) => found.photo);
      const { sheets, problems = [], more = 0, completes = false } = await (isPicture(file) ? photographed(file, before?.photo ?? player().photo) : opened(file));
      if (completes && before) others.splice(others.indexOf(before), 1);
      for (const found of sheets) {
        if (!found.here || found.sheet !== name) others.push(found);
        else put(found, completes);
      }
      if (more) notice(`${file.name} has ${plural(more, "more sheet")}, of other games. This is the first one.`);
      if (problems.length) refused(`Not everything on ${file.name} can be read`, problems);
    } catch (error) {
      refused(`${file.name} cannot be ${isPicture(file) ? "read" : "opened"}`, error.problems ?? [{ message: "the connection is lost" }]);
    }
  }
  activate(state.active);
  soon(0);
  if (player().photo) startAsking();
  if (others.length) elsewhere(others);
}

async function opened(file) {
  const found = await ask(at(`open?name=${encodeURIComponent(file.name)}`), file);
  return { sheets: [found], more: found.others };
}

/** Reads a photo: its sheets, or another page of the sheet with the photo `before`. */
async function photographed(file, before) {
  const working = make("p", { className: "working" }, make("progress", { "aria-label": "Reading" }), `Reading ${file.name}…`);
  $("#refused").classList.add("done");
  $("#refused").replaceChildren(working);
  $("#refused").hidden = false;
  say(`Reading ${file.name}`);
  try {
    const query = new URLSearchParams({ name: file.name, code, beside: before?.id ?? "" });
    const { sheets, ...rest } = await ask(at(`photo?${query}`), file);
    return { ...rest, sheets: sheets.map((each) => ({ ...each, filled: { marks: { ...each.marks }, extra: {} }, photo: remembered(each) })) };
  } finally {
    if ($("#refused").contains(working)) $("#refused").hidden = true;
  }
}

/** Puts a sheet that was opened on the page: instead of the blank one, of the one that it `completes`, or of the same player’s. */
function put(found, completes) {
  const sheet = { ...fresh(), ...found.filled, photo: found.photo, checked: true };
  const before = completes && player().photo;
  if (before) {
    sheet.photo = remembered({ ...found, fields: found.fields }, { answers: before.answers, changed: before.changed });
    sheet.extra = player().extra;
    sheet.marks = { ...player().marks };
    merge(sheet.photo, sheet.marks);
  }
  const blankOnly = state.players.length === 1 && !Object.keys(player().marks).length;
  if (before) state.players[state.active] = sheet;
  else if (!blank.player || blankOnly) state.players = [sheet];
  else {
    const same = state.players.findIndex((each) => each.marks[blank.player] && each.marks[blank.player] === sheet.marks[blank.player]);
    state.players.splice(same < 0 ? state.players.length : same, same < 0 ? 0 : 1, sheet);
  }
  state.active = state.players.indexOf(sheet);
  keep();
  if (before) readSoon(0);
}

/** Opens sheets of another kind or game on their own page. */
function elsewhere(found) {
  const { sheet, game, here } = found[0];
  const key = here ? project : game;
  const players = found.filter((each) => each.sheet === sheet && each.game === game).map((each) => ({ ...each.filled, photo: each.photo, left: [], checked: true, more: 0 }));
  localStorage.setItem(`score:${key}:${sheet}`, JSON.stringify({ players, active: 0, date: state.date }));
  location.href = `/g/${key}/score?sheet=${encodeURIComponent(sheet)}`;
}

async function download(kind) {
  try {
    const sheets = kind === "yaml" || kind === "json" ? state.players.map((_, index) => index) : [0];
    for (const only of sheets) {
      const reply = await fetch(at(`file/${kind}`), { method: "POST", body: JSON.stringify(filling({ only })) });
      if (!reply.ok) throw new Refused((await reply.json().catch(() => ({}))).problems ?? [{ message: `The server answered ${reply.status}.` }]);
      const whose = sheets.length > 1 ? `-${nameOf(only)}` : kind === "pdf" || kind === "html" ? "-scored" : "";
      const link = make("a", { href: URL.createObjectURL(await reply.blob()), download: `${blank.game}${whose}.${kind}`.toLowerCase().replace(/[^\w.-]+/g, "-") });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }
  } catch (error) {
    refused("This file cannot be made", error.problems ?? [{ message: "the connection is lost; try again" }]);
  }
}

/** The photos that the sheets were read from, by the ids of their sheets. */
const photosRead = () => state.players.flatMap(({ photo }) => (photo && !photo.lost ? [photo.id] : []));

let saving = false;
/** Saves the game in the league; if the server cannot be reached, as soon as it can. */
async function save(again = false) {
  if (saving) return;
  saving = true;
  for (const each of state.players) each.checked = true;
  const buttons = [$("#save"), $("#pad-save")];
  const words = buttons.map((button) => button.textContent);
  const label = (text) => { for (const button of buttons) button.textContent = text; };
  for (const button of buttons) button.style.minWidth = `${button.offsetWidth}px`;
  label("Saving…");
  state.pending = false;
  try {
    const found = await ask(at("save"), filling({ date: state.date, again, photos: $("#keep-photos input").checked ? photosRead() : [] }));
    label("Saved");
    if (!found.new) $("#save").textContent = "Already saved";
    say(found.new ? "Saved to the league" : "This game is in the league already");
    saved(found);
    setTimeout(() => buttons.forEach((button, index) => { button.textContent = words[index]; saving = false; }), 2000);
  } catch (error) {
    buttons.forEach((button, index) => { button.textContent = words[index]; });
    saving = false;
    if (error instanceof Refused) refused("This game cannot be saved", error.problems);
    else {
      state.pending = true;
      status(narrow.matches ? "Kept on this phone until the table is back." : "Pencilbox has stopped. Start it again; this page goes on.", true);
      soon(AGAIN);
    }
  }
  keep(!state.pending);
  showAnswer();
}

/** Says what became of the game in the league. */
function saved(found) {
  const game = `Game ${found.number} of the league`;
  const words = !found.counted ? `${found.new ? "Saved" : "Saved before"}, but not counted. ${found.reason}`
    : !found.new ? `${game}, saved before.` : `${game}.${found.similar ? ` Game ${found.similar} has the same players on the same day.` : ""}`;
  if (narrow.matches) notice(words);
  $("#save-note").replaceChildren(words, " ", found.new ? local && make("a", { href: "/league" }, "Open the league") || "" : make("button", { type: "button", className: "link", onclick: () => { saving = false; save(true); } }, "Save it as another game"));
}

// ---- photos

const ASKED_AGAIN = 700;
const LONGEST_WAIT = 3000;
let readTimer = 0;
let readNumber = 0;

function readSoon(wait = ASKED_AGAIN) {
  clearTimeout(readTimer);
  readNumber++;
  readTimer = setTimeout(readAgain, wait);
}

/** Reads the sheet again with everything that a person has said. */
async function readAgain() {
  const owner = player();
  const { photo } = owner;
  if (!photo || photo.lost) { showPhoto(); return; }
  const number = ++readNumber;
  try {
    const found = await ask(at(`photo/${photo.id}`), Object.fromEntries(Object.entries(photo.answers).filter(([id]) => !photo.changed.includes(id))));
    if (number !== readNumber) return;
    owner.photo = remembered(found, photo);
    merge(owner.photo, owner.marks);
    keep();
    soon(0);
  } catch (error) {
    if (error instanceof Refused) photo.lost = error.status === 404; // otherwise the connection is lost, and the next answer tries again
  }
  if (owner !== player()) return;
  waiting = false;
  if (owner.photo.lost) { keep(); resize(); }
  fill();
  showPhoto();
}

const askingActions = {
  answer(ids, mark) {
    const batch = Date.now();
    typing = false;
    for (const id of ids) set(id, mark, { batch });
    fill();
    waiting = true; // the next question depends on this answer
    setTimeout(() => { if (waiting === true) { waiting = false; showPhoto(); } }, LONGEST_WAIT);
    readSoon(0);
    showPhoto();
  },
  later(ids) { const { photo } = player(); photo.later = [...photo.later.filter((id) => id !== ids[0]), ids[0]]; keep(); showPhoto(); },
  apart(ids) { player().photo.apart.push(...ids); keep(); showPhoto(); },
  toggle() { const { photo } = player(); photo.shown = !photo.shown; keep(); resize(); fill(); showPhoto(); },
  undo: () => undo(),
  refuse: (field) => say(`${field.name} takes ${field.takes}`),
};

/** Shows the bar under the sheet and the signs on it. While the sheet is read again, the question cannot be answered. */
function showPhoto(focus = $("#asking").contains(document.activeElement)) {
  const { photo } = player();
  const panel = $("#asking");
  const asked = photo && !photo.lost && question(photo);
  panel.hidden = !photo;
  $("#keep-photos").hidden = !photosRead().length;
  const away = narrow.matches && focused;
  $("#desk").classList.toggle("asks", Boolean(asked && !away));
  for (const page of pages) {
    const mm = page.size[0] / (page.clientWidth || 640) / (narrow.matches ? view.zoom : 1);
    $(".doubts", page).replaceChildren(...(photo ? signs(photo, fields.filter((field) => field.page === page.number), mm) : []));
  }
  if (waiting && $(".question", panel)) {
    if (focus) panel.focus({ preventScroll: true });
    $(".question", panel).inert = true;
    shownBar = null;
    return;
  }
  const before = { id: document.activeElement?.id, said: $("#said")?.value, question: shownQuestion };
  shownQuestion = JSON.stringify(asked);
  const same = before.question === shownQuestion;
  const bars = photo && JSON.stringify([photo.id, photo.shown, photo.lost, facts(photo), Boolean(away), asked, narrow.matches]);
  if (bars === shownBar) return; // a button that is being clicked stays
  shownBar = bars;
  panel.replaceChildren(...(photo ? bar(photo, blank, narrow.matches, { ...askingActions, resume: away && startAsking }) : []));
  if (same && before.said && $("#said")) $("#said").value = before.said;
  if (focus) (["said", "show-photo"].includes(before.id) && same && $(`#${before.id}`) ? $(`#${before.id}`) : firstAnswer() ?? $("#show-photo") ?? panel).focus({ preventScroll: true });
  if (same) return;
  if (focus) say(asked ? $("#asked").textContent : "Nothing is doubtful any more.");
  lookAtQuestion();
}

let waiting = false;
let shownQuestion = "";
let shownBar = null;
const firstAnswer = () => $("#asking .choices .primary:not([type=submit])") ?? (narrow.matches ? null : $("#said"));

/** Moves the sheet to the boxes of the question. */
function lookAtQuestion() {
  const asked = player().photo && question(player().photo);
  const input = asked && inputs.get(asked.fields[0]);
  if (!input) return;
  if (narrow.matches) follow(); else input.scrollIntoView({ block: "center", inline: "nearest" });
}

/** Begins with the questions, as soon as a photo was read. */
function startAsking() {
  if (narrow.matches) document.activeElement?.blur();
  focused = null;
  shownQuestion = "";
  shownBar = null;
  showPhoto(true);
  const { photo } = player();
  const doubts = photo.questions.length;
  say(doubts ? `The photo was read. ${plural(doubts, "question")} about what is doubtful.` : "The photo was read. Nothing is doubtful.");
}

// ---- phone: the sheet follows the active box

let view = { x: 0, y: 0, zoom: 1 };

function look(x, y, zoom) {
  const [layer, stage] = [$("#pages"), $("#stage")];
  const clamp = (place, size, room) => Math.min(0, Math.max(place, room - size * zoom));
  view = { x: clamp(x, layer.offsetWidth, stage.clientWidth), y: clamp(y, layer.offsetHeight, stage.clientHeight), zoom };
  layer.style.transform = narrow.matches ? `translate(${view.x}px, ${view.y}px) scale(${zoom})` : "";
}

function follow() {
  const stage = $("#stage");
  const { photo } = player();
  const asked = photo && !photo.lost && !focused && question(photo)?.fields[0];
  const target = focused ?? inputs.get(asked)?.field;
  const input = narrow.matches && target && inputs.get(target.id);
  if (!input) { look(0, 0, 1); return; }
  const page = input.closest(".page");
  const mm = page.clientWidth / page.size[0];
  const [, , w, h] = target.box;
  const zoom = Math.max(1, Math.min(56 / (Math.min(w, h) * mm), (stage.clientWidth * 0.9) / (w * mm), 4));
  const changed = zoom !== view.zoom;
  const [x, y] = [input.offsetLeft + input.offsetWidth / 2 + page.offsetLeft, input.offsetTop + input.offsetHeight / 2 + page.offsetTop];
  look(stage.clientWidth / 2 - x * zoom, stage.clientHeight / 2 - y * zoom, zoom);
  if (changed) rings(visible());
}

/** A finger moves the sheet. */
function pan() {
  const stage = $("#stage");
  let start = null;
  stage.addEventListener("pointerdown", (event) => { if (narrow.matches && !drawing) start = { x: event.clientX, y: event.clientY, view }; });
  stage.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    if (Math.hypot(x, y) < 8) return;
    $("#pages").classList.add("moving");
    look(start.view.x + x, start.view.y + y, start.view.zoom);
  });
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => { start = null; $("#pages").classList.remove("moving"); });
}

let pinned = null;
/** The keys for the active box, the points, and one problem. */
function pad() {
  if (!narrow.matches) return;
  const shown = visible();
  const problem = shown.find((each) => each.shown === chosen) ?? shown[0];
  $("#pad-problem").hidden = !problem;
  if (problem) $("#pad-problem").replaceChildren(make("span", { className: "number" }, String(problem.shown)), make("span", {}, problem.message), make("small", {}, `${problem.shown} of ${shown.length}`));
  const own = answer.players.find((each) => each.sheet === state.active && blank.player) ?? (answer.players.length === 1 ? answer.players[0] : null);
  const cells = own ? [...own.lines.slice(0, 3).map((line) => [line.label, line.points, ""]), ["Total", own.total, "total"]]
    : answer.players.slice(0, 4).map((each) => [each.name, each.total, "total"]);
  $("#pad-points").replaceChildren(...(cells.length ? cells : [["Total", "–", "total"]]).map(([label, count, kind]) => make("span", { className: kind }, label, make("b", {}, points(count)))));
  if (!focused) { $("#pad-hint").replaceChildren("Choose a box on the sheet."); $("#pad-keys").replaceChildren(); return; }
  $("#pad-hint").replaceChildren(make("b", {}, focused.name), ` takes ${focused.takes}`);
  if (pinned === focused.id) return;
  pinned = focused.id;
  const marks = keysOf(focused);
  const drawn = drawing?.about.grid === focused.grid && drawing;
  if (drawn) $("#pad-hint").replaceChildren("Draw with a finger from box to box.");
  const buttons = drawn ? [make("button", { type: "button", className: "button words", onclick: () => draw(focused) }, "Add this box"), make("button", { type: "button", className: "button words", onclick: stopDrawing }, "Done"),
    ...(drawing.about.shapes_count ? [make("button", { type: "button", className: "button words", onclick: addShape }, "Add this block")] : [])] : (marks ?? []).map((mark) => padKey(mark, isTick(focused) ? "Tick" : mark));
  if (marks && !drawn) buttons.push(make("button", { type: "button", className: "button", "aria-label": "Erase", onclick: () => type("") }, icon("erase")));
  $("#pad-keys").replaceChildren(...buttons);
  if (!marks) inputs.get(focused.id).inputMode = "text";
}

const padKey = (mark, label) => make("button", { type: "button", className: `button${label.length > 3 ? " words" : ""}`, onclick: () => type(mark) }, label);

/** Types a mark with a key on the page. */
function type(mark) {
  const field = focused;
  const input = inputs.get(field.id);
  const before = player().marks[field.id] ?? "";
  const text = mark === "" ? "" : isTick(field) ? (before === "x" ? "" : "x") : field.marks.length ? mark : accepted(field, before.length < field.length ? before + mark : mark) ?? before;
  typing = true;
  set(field.id, text);
  write(input, text);
  if (field.options.length) ink(answer.sheets[state.active] ?? {});
  input.focus({ preventScroll: true });
  if (text && (isFull(field, text) || (field.marks.length && !isTick(field)))) go(1);
}

function showResultButton() {
  const total = answer.players.find((each) => !blank.player || each.sheet === state.active);
  const count = visible().length;
  $("#show-result").textContent = [total && answer.players.length === 1 || (total && blank.player) ? plural(total.total, "point") : "Points", count ? plural(count, "problem") : ""].filter(Boolean).join(" · ");
}

// ---- start

function drawer(button, panel) {
  const set = (open) => { $(panel).classList.toggle("open", open); $(button).setAttribute("aria-expanded", String(open)); };
  $(button).addEventListener("click", () => set(!$(panel).classList.contains("open")));
  $(panel).addEventListener("keydown", (event) => { if (event.key === "Escape") { set(false); $(button).focus(); } });
  addEventListener("pointerdown", (event) => { if (!event.target.closest(`${panel}, ${button}, #pad-points`)) set(false); });
  return set;
}

function wire() {
  const menu = $("#download-menu");
  const openMenu = (open) => { menu.hidden = !open; $("#download").setAttribute("aria-expanded", String(open)); if (open) $("button", menu).focus(); };
  $("#download").addEventListener("click", () => openMenu(menu.hidden));
  menu.addEventListener("click", (event) => { const kind = event.target.dataset.kind; if (kind) { openMenu(false); $("#download").focus(); download(kind); } });
  menu.addEventListener("keydown", (event) => {
    const items = $$("button", menu);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") { openMenu(false); $("#download").focus(); }
    if (step) { event.preventDefault(); items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus(); }
  });
  addEventListener("pointerdown", (event) => { if (!event.target.closest(".menu")) openMenu(false); });
  $("#share").addEventListener("click", () => download("html"));
  $("#save").addEventListener("click", () => save());
  $("#pad-save").addEventListener("click", () => save());
  $("#pad-next").addEventListener("click", () => go(focused ? 1 : 1));
  $("#pad-before").addEventListener("click", () => go(-1));
  $("#pad-problem").addEventListener("click", nextProblem);
  $("#add").addEventListener("click", addPlayer);
  $("#clear").addEventListener("click", () => {
    const before = state.players;
    state.players = [fresh()];
    activate(0);
    soon(0);
    notice("This is a blank sheet.", () => { state.players = before; activate(0); soon(0); });
  });
  $("#date").addEventListener("change", () => { state.date = $("#date").value; keep(); });
  $("#sheet")?.addEventListener("change", () => { location.href = `?sheet=${encodeURIComponent($("#sheet").value)}`; });
  for (const picker of [$("#file"), $("#camera")]) picker.addEventListener("change", () => { const files = [...picker.files]; picker.value = ""; open(files); });
  $("#camera-button").addEventListener("click", () => $("#camera").click());
  for (const kind of ["dragenter", "dragover"]) addEventListener(kind, (event) => { if (event.dataTransfer?.types.includes("Files")) { event.preventDefault(); document.body.classList.add("dropping"); } });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", (event) => { event.preventDefault(); document.body.classList.remove("dropping"); if (event.dataTransfer.files.length) open(event.dataTransfer.files); });
  const sheets = drawer("#show-sheets", "#sheets");
  const results = drawer("#show-result", "#result");
  $$("[data-closes]").forEach((button) => button.addEventListener("click", () => (button.dataset.closes === "result" ? results : sheets)(false)));
  if (narrow.matches) $(".mark").href = "#main"; // phones can only score
  $("#pad-points").addEventListener("click", () => results(true));
  $("#phone").addEventListener("click", () => {
    if ($("#score").dataset.network) $("#phone-code").replaceChildren(make("img", { alt: "QR code with the address of this page", src: at(`phone.svg?sheet=${encodeURIComponent(name)}`) }), make("p", {}, "Open this on a phone in the same network and type the sheet there."));
    $("#phone-dialog").showModal();
  });
  pan();
  key("f8", nextProblem);
  key("ctrl s", () => save());
  key("ctrl z", undo);
  key("p", () => player().photo && !player().photo.lost && askingActions.toggle());
  key("q", () => firstAnswer()?.focus());
  addEventListener("storage", (event) => { // typed in another tab
    if (event.key !== place || !event.newValue) return;
    state = { ...JSON.parse(event.newValue), active: Math.min(state.active, JSON.parse(event.newValue).players.length - 1) };
    show();
    soon();
  });
  if (local) listen({ changed: redraw, reconnected: () => soon(0) });
  addEventListener("resize", resize);
  narrow.addEventListener("change", () => { pinned = null; resize(); pad(); });
}

/** Gets the blank sheet as it is now; returns whether it can be shown. */
async function load(quietly = false) {
  try {
    blank = await ask(at(`sheet?${new URLSearchParams({ sheet: name, code, paper: player().photo?.paper ?? "" })}`));
  } catch (error) {
    if (!quietly) refused("This sheet cannot be shown", error.problems ?? [{ message: "the connection is lost" }]);
    return false;
  }
  blank.fields = blank.fields.map(described);
  for (const about of blank.drawn) about.shapes_count = Object.keys(about.shapes).length;
  return true;
}

/** Shows the sheet again after its files have changed. */
async function redraw(quietly = false) {
  const before = JSON.stringify(blank);
  if (!(await load(quietly)) || JSON.stringify(blank) === before) return;
  $("#refused").hidden = true;
  const field = document.activeElement?.closest(".box")?.field.id;
  focused = null;
  show();
  if (inputs.has(field)) enter(inputs.get(field).field);
  showBeside();
  soon(0);
}

async function start() {
  state = kept();
  state.active = Math.min(state.active ?? 0, state.players.length - 1);
  const typedCode = Object.values(player().marks).find((mark) => /^[A-Z]{2}-\w{4}-/i.test(mark));
  code ||= typedCode ?? "";
  if (!(await load(Boolean(typedCode))) && !((code = ""), await load())) return;
  Object.assign(player().marks, blank.marks); // the code in the address
  $("#date").value = state.date ??= today();
  wire();
  show();
  showBeside();
  showAnswer();
  keep();
  if (blank.note) notice(blank.note);
  if (player().photo) startAsking();
  else if (narrow.matches && fields.length) enter(fields[0]);
  soon(0);
}

start();
