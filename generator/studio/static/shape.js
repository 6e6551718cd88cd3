// The table of a deck as a spreadsheet, what its columns mean, how its cards look, and the cards beside it.
import { $, $$, ask, icon, key, listen, make, project, say, status } from "./studio.js";

const PAGE = `/g/${project}`;
const table = $("#grid"), body = $("tbody", table), menu = $("#row-menu");
let state = { rows: [], headings: [], roles: [], decks: {} }, cards = { pieces: [], problems: [] };
let part = new URLSearchParams(location.search).get("part") ?? "";
let at = { row: 0, column: 0 }, from = at;   // the active cell, and where the selection starts
let draft = 0;                               // the place of the row that is not in the file yet
let editor = null, missed = false, side = "front", busy = Promise.resolve();

// ---- asking, one change after the other

function enqueue(work) {
  const done = busy.then(work);
  busy = done.catch(() => {});
  return done;
}

const saved = (text = "Saved") => { status(text); clearTimeout(saved.timer); saved.timer = setTimeout(() => status(""), 2000); };

function refused(error) {
  status("");
  const found = error.problems ?? [{ message: "Pencilbox does not answer", hint: "start it again, then make this change once more" }];
  showProblems(found.map((problem) => ({ ...problem, refused: true })));
  say(error.message);
}

async function change(address, data) {
  status("Saving…");
  try {
    apply(await enqueue(() => ask(`${PAGE}/${address}`, data)));
    saved();
    await refresh();
    return true;
  } catch (error) { refused(error); return false; }
}

const choose = (what, value, name = "") => change("choice", { what, value, name, part });

async function load() {
  try {
    const next = await enqueue(() => ask(`${PAGE}/table?part=${encodeURIComponent(part)}`));
    if (editor) missed = true; else apply(next);
  } catch (error) { refused(error); }
  await refresh();
}

/** Shows the cards as they are now; called again while it does, once more after that. */
async function refresh() {
  refresh.again = refresh.running;
  if (refresh.running) return;
  refresh.running = true;
  try { await showState(); } catch (error) { refused(error); }
  refresh.running = false;
  if (refresh.again) await refresh();
}

async function showState() {
  cards = await ask(`${PAGE}/state?part=${encodeURIComponent(part)}`);
  clearTimeout(refresh.timer);
  if (cards.pieces.some((piece) => !piece.drawn)) refresh.timer = setTimeout(refresh, cards.pieces.length > 200 ? 2000 : 250);
  showCards();
  showProblems();
  showWrong();
  await showFaces();
}

// ---- rows: replace `remove` rows at a place by others, [number of the old row or null, texts]

async function splice(place, remove, rows) {
  const data = { version: state.version, at: place, remove, rows, part };
  status("Saving…");
  try {
    apply(await enqueue(() => ask(`${PAGE}/rows`, { ...data, version: state.version })));
  } catch (error) {
    if (error.status !== 409) { refused(error); if (error.problems && !editor) showRows(); return; }
    await overwrite(data);
    return;
  }
  saved();
  refresh();
}

/** Asks what to do with a change to a table that is not the one on the page any more. */
async function overwrite(data) {
  status("");
  const count = state.rows.length, dialog = $("#stale");
  const current = await ask(`${PAGE}/table?part=${encodeURIComponent(part)}`);
  $("[value=over]", dialog).hidden = current.rows.length !== count;
  dialog.returnValue = "reload";
  dialog.showModal();
  await new Promise((done) => dialog.addEventListener("close", done, { once: true }));
  apply(current);
  if (dialog.returnValue === "over") await splice(data.at, data.remove, data.rows);
  else await refresh();
}

const isDraft = (row) => row === draft;
const index = (row) => (row > draft ? row - 1 : row);   // of a row on the page in the table
const total = () => state.rows.length + (state.fixed ? 0 : 1);
const cellsOf = (row) => (isDraft(row) && !state.fixed ? state.headings.map(() => "") : [...(state.rows[index(row)]?.cells ?? [])]);

/** Writes a block of texts into cells, once the changes before it are saved: rows may have got other places. */
function put(...place) {
  put.last = (put.last ?? Promise.resolve()).then(() => busy).then(() => write(...place));
}

async function write(row, column, block) {
  if (state.fixed) return;
  showRows.last = "";
  const changes = new Map();
  block.forEach((texts, down) => {
    const target = row + down, past = target >= total();
    const cells = past ? state.headings.map(() => "") : cellsOf(target);
    texts.forEach((text, across) => { if (column + across < cells.length) cells[column + across] = text; });
    changes.set(target, [past || isDraft(target) ? null : index(target), cells]);
  });
  const rows = [...changes.values()], olds = rows.map(([old]) => old).filter((old) => old !== null);
  const same = rows.every(([old, cells]) => (old === null ? cells.every((text) => !text.trim()) : cells.every((text, n) => text === state.rows[old].cells[n])));
  if (same) return;
  const place = olds.length ? olds[0] : index(Math.min(row, draft));
  if (rows.some(([old]) => old === null)) draft = Infinity;
  await splice(place, olds.length, rows);
}

function move(row, by) {
  if (state.fixed || isDraft(row)) return;
  const number = index(row), other = number + by;
  if (other < 0 || other >= state.rows.length) return;
  const [low, high] = [Math.min(number, other), Math.max(number, other)];
  at = from = { ...at, row: row + by };
  splice(low, 2, [[high, state.rows[high].cells], [low, state.rows[low].cells]]);
}

function remove(first, last) {
  const numbers = [];
  for (let row = first; row <= last; row += 1) if (!isDraft(row)) numbers.push(index(row));
  if (numbers.length) splice(numbers[0], numbers.length, []);
}

function insert(row) {
  draft = isDraft(row) ? row : Math.max(0, row > draft ? row - 1 : row);
  showRows();
  go(draft, 0);
  edit("");
}

// ---- the table

function apply(next) {
  const first = part !== next.part || !state.part, focused = document.activeElement.id;
  state = next;
  part = state.part;
  if (first || draft > state.rows.length) draft = state.rows.length;
  $("#about").textContent = [state.file, state.about].filter(Boolean).join(": ");
  $("#about").title = $("#about").textContent;
  $("#undo").disabled = !state.undo;
  $("#redo").disabled = !state.redo;
  $("#fixed").hidden = !state.fixed;
  $("#fixed p").textContent = state.fixed ?? "";
  $("#copy").hidden = !state.shipped;
  $("#as-csv").hidden = !state.workbook || state.shipped;
  $("#table-box").hidden = !state.headings.length;
  document.body.classList.toggle("bare", Boolean(state.bare));
  showReading();
  showHead();
  if (editor) missed = true; else showRows();   // somebody types on while the last change is saved
  showLook();
  $("#notes").replaceChildren(...state.notes.map((note) => make("p", {}, `${note[0].toUpperCase()}${note.slice(1).replace(/ \([^()]*--[^()]*\)/g, "")}.`)));
  $("#keep").hidden = !state.bare;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function options(select, entries, value) {
  select.replaceChildren(...Object.entries(entries).map(([name, label]) => make("option", { value: name }, label)));
  select.value = value;
}

function showReading() {
  const decks = Object.keys(state.decks), sheets = state.sheets;
  $("#reading").hidden = decks.length < 2 && sheets.length < 2;
  $("#headings-choice").hidden = !state.version;
  $("#deck-choice").hidden = decks.length < 2;
  $("#sheet-choice").hidden = sheets.length < 2;
  if (decks.length > 1) options($("#deck"), state.decks, part);
  if (sheets.length > 1) options($("#worksheet"), Object.fromEntries(sheets.map((name) => [name, name])), state.sheet);
  $("#headings").checked = state.labelled;
  $("#headings").disabled = state.shipped;
}

function showHead() {
  if (!isNew(showHead, state.headings, state.roles, state.labelled, state.shipped, Boolean(state.version))) return;
  const row = make("tr", {}, make("th", { className: "row" }, make("span", { className: "unseen" }, "Row")));
  state.headings.forEach((heading, column) => {
    const select = make("select", { className: "role", id: `role-${column}`, "aria-label": `What “${heading}” is`, onchange: () => choose("column", select.value, heading) }, $("#roles").content.cloneNode(true));
    select.value = state.roles[column];
    const fixed = state.shipped || !state.version ? make("small", {}, select.selectedOptions[0].textContent) : null;
    row.append(make("th", { scope: "col" }, make("span", { title: heading }, state.labelled ? heading : `Column ${heading}`), fixed ?? select));
  });
  $("thead", table).replaceChildren(row);
}

/** Whether what a function shows has changed since the last time. */
function isNew(shows, ...what) {
  const now = JSON.stringify(what), was = shows.last;
  shows.last = now;
  return now !== was;
}

function showRows() {
  editor = null;
  if (!isNew(showRows, state.rows, state.headings, state.roles, state.fixed, draft)) return;
  const rows = state.rows.map(({ cells, line }, number) => makeRow(number + 1, cells, line));
  if (!state.fixed) rows.splice(draft = Math.min(draft, rows.length), 0, makeRow(0, state.headings.map(() => "")));
  rows.forEach((row, number) => { row.dataset.row = number; });
  body.replaceChildren(...rows);
  table.setAttribute("aria-rowcount", rows.length + 1);
  table.setAttribute("aria-readonly", state.fixed ? "true" : "false");
  const had = document.activeElement === document.body || table.contains(document.activeElement);
  go(Math.min(at.row, rows.length - 1), Math.min(at.column, state.headings.length - 1), { quiet: true, focus: had && showRows.used });
  showWrong();
}

function makeRow(number, cells, line = "") {
  const name = number ? `Row ${number}` : "New row";
  const button = make("button", { type: "button", tabIndex: -1, "aria-label": number ? `${name}: insert, move or delete` : name, "aria-haspopup": number ? "menu" : null,
    title: line ? `Line ${line}` : "", disabled: Boolean(state.fixed) }, number ? String(number) : "+");
  return make("tr", { className: number ? "" : "draft", dataset: { line } },
    make("th", { scope: "row", className: "row" }, button),
    ...cells.map((text, column) => make("td", { role: "gridcell", tabIndex: -1, dataset: { column },
      className: [["cost", "copies"].includes(state.roles[column]) ? "figure" : "", state.roles[column] === "-" ? "left-out" : ""].join(" ").trim() },
    !number && !column && !text ? "New row" : text)));
}

const cell = (row = at.row, column = at.column) => body.rows[row]?.cells[column + 1];
const rowsBetween = () => [Math.min(at.row, from.row), Math.max(at.row, from.row)];
const columnsBetween = () => [Math.min(at.column, from.column), Math.max(at.column, from.column)];

function go(row, column, { extend = false, quiet = false, focus = true } = {}) {
  if (row < 0 || column < 0 || row >= body.rows.length || column >= state.headings.length) return;
  const old = cell();
  if (old) old.tabIndex = -1;
  at = { row, column };
  if (!extend) from = at;
  $$("tr.chosen, td.selected", body).forEach((each) => { each.classList.remove("chosen", "selected"); each.removeAttribute("aria-selected"); });
  body.rows[row].classList.add("chosen");
  const [top, bottom] = rowsBetween(), [left, right] = columnsBetween();
  if (top !== bottom || left !== right) {
    for (let down = top; down <= bottom; down += 1) for (let across = left; across <= right; across += 1) { cell(down, across).classList.add("selected"); cell(down, across).setAttribute("aria-selected", "true"); }
  }
  cell().tabIndex = 0;
  if (focus) { showRows.used = true; cell().focus({ preventScroll: quiet }); if (!quiet) cell().scrollIntoView({ block: "nearest", inline: "nearest" }); }
  chooseCard();
}

// ---- typing

function edit(text) {
  if (state.fixed || editor) return;
  const target = cell(), before = isDraft(at.row) ? "" : cellsOf(at.row)[at.column];
  editor = make("textarea", { value: text ?? before, rows: 1, spellcheck: false, "aria-label": `${state.headings[at.column]}, ${isDraft(at.row) ? "new row" : `row ${index(at.row) + 1}`}` });
  target.classList.add("editing");
  target.replaceChildren(editor);
  editor.focus();
  editor.setSelectionRange(editor.value.length, editor.value.length);
  editor.addEventListener("blur", () => finish(true, 0, 0));
}

function finish(keep, down, across) {
  if (!editor) return;
  const text = editor.value, old = cellsOf(at.row)[at.column], { row, column } = at, target = cell();
  editor = null;
  target.classList.remove("editing");
  target.textContent = keep ? text : old;
  if (keep && text !== old) showRows.last = "";
  const next = { row: Math.min(row + down, total() - 1), column: column + across };
  if (next.column >= state.headings.length) { next.column = 0; next.row = Math.min(next.row + 1, total() - 1); }
  if (next.column < 0) next.column = 0;
  if (down || across || !keep) go(next.row, next.column);
  if (keep && text !== old) put(row, column, [[text]]);
  else {
    if (isDraft(row) && !column && !old) target.textContent = "New row";
    if (missed) load();
  }
  missed = false;
}

table.addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey, name = event.key;
  if (editor) {
    if (name === "Enter" && !event.altKey && !event.shiftKey) finish(true, 1, 0);
    else if (name === "Enter" && event.altKey) editor.setRangeText("\n", editor.selectionStart, editor.selectionEnd, "end");
    else if (name === "Tab") finish(true, 0, event.shiftKey ? -1 : 1);
    else if (name === "Escape") finish(false, 0, 0);
    else { if (command) event.stopPropagation(); return; }
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  if (!event.target.closest("td")) return;
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[name];
  if (steps && event.altKey) { if (steps[0]) move(at.row, steps[0]); }
  else if (steps) go(command && steps[0] ? (steps[0] < 0 ? 0 : total() - 1) : at.row + steps[0], command && steps[1] ? (steps[1] < 0 ? 0 : state.headings.length - 1) : at.column + steps[1], { extend: event.shiftKey });
  else if (name === "Home") go(command ? 0 : at.row, 0, { extend: event.shiftKey });
  else if (name === "End") go(command ? total() - 1 : at.row, state.headings.length - 1, { extend: event.shiftKey });
  else if (name === "PageDown" || name === "PageUp") go(Math.max(0, Math.min(total() - 1, at.row + (name === "PageUp" ? -10 : 10))), at.column, { extend: event.shiftKey });
  else if (name === "Enter" || name === "F2") edit();
  else if (name === "Delete" || name === "Backspace") clear();
  else if ((name === "F10" && event.shiftKey) || name === "ContextMenu") openMenu(at.row);
  else if (name.length === 1 && !command && !event.altKey) edit(name);
  else return;
  event.preventDefault();
  event.stopPropagation();
});

table.addEventListener("mousedown", (event) => {
  const target = event.target.closest("td");
  if (!target || target.contains(editor)) return;
  event.preventDefault();
  if (editor) finish(true, 0, 0);
  const again = target === cell() && document.activeElement === target && matchMedia("(pointer: coarse)").matches;
  go(Number(target.parentElement.dataset.row), Number(target.dataset.column), { extend: event.shiftKey });
  if (again) edit();
});
table.addEventListener("mouseover", (event) => {
  const target = event.target.closest("td");
  if (target && event.buttons === 1 && !editor && table.contains(document.activeElement)) go(Number(target.parentElement.dataset.row), Number(target.dataset.column), { extend: true });
});
table.addEventListener("dblclick", (event) => event.target.closest("td") && edit());
table.addEventListener("click", (event) => {
  const button = event.target.closest(".row button"), target = event.target.closest("td");
  if (target && target !== cell() && !editor) go(Number(target.parentElement.dataset.row), Number(target.dataset.column));  // without a mouse
  if (!button) return;
  const row = Number(button.closest("tr").dataset.row);
  if (isDraft(row)) { go(row, 0); edit(""); } else openMenu(row);
});

function block() {
  const [top, bottom] = rowsBetween(), [left, right] = columnsBetween();
  return Array.from({ length: bottom - top + 1 }, (_, down) => cellsOf(top + down).slice(left, right + 1));
}

function clear() {
  const [top] = rowsBetween(), [left] = columnsBetween();
  put(top, left, block().map((texts) => texts.map(() => "")));
}

const quoted = (text) => (/[\t\n"]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text);
function unquoted(text) {
  const rows = [[]];
  for (const [, plain, end] of text.replace(/\r\n?/g, "\n").replace(/\n$/, "").matchAll(/((?:"(?:[^"]|"")*")?[^\t\n]*)(\t|\n|$)/g)) {
    rows.at(-1).push(plain.startsWith("\"") ? plain.replace(/^"|"$/g, "").replaceAll("\"\"", "\"") : plain);
    if (end === "\n") rows.push([]);
    if (!end) break;
  }
  return rows;
}

const inTable = () => !editor && table.contains(document.activeElement) && document.activeElement.matches("td");
for (const kind of ["copy", "cut"]) {
  document.addEventListener(kind, (event) => {
    if (!inTable()) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", block().map((texts) => texts.map(quoted).join("\t")).join("\n"));
    if (kind === "cut") clear();
    say(kind === "cut" ? "Cut" : "Copied");
  });
}
document.addEventListener("paste", (event) => {
  if (!inTable() || state.fixed) return;
  event.preventDefault();
  const [top, bottom] = rowsBetween(), [left, right] = columnsBetween();
  let rows = unquoted(event.clipboardData.getData("text/plain"));
  if (rows.length === 1 && rows[0].length === 1) rows = Array.from({ length: bottom - top + 1 }, () => Array(right - left + 1).fill(rows[0][0]));
  put(top, left, rows);
});

// ---- the menu of a row

function openMenu(row) {
  if (state.fixed || isDraft(row)) return;
  go(row, at.column);
  const box = body.rows[row].cells[0].getBoundingClientRect();
  menu.hidden = false;
  menu.style.left = `${box.left}px`;
  menu.style.top = `${Math.min(box.bottom, innerHeight - menu.offsetHeight - 8)}px`;
  $("button", menu).focus();
}
function closeMenu(focus = true) { if (!menu.hidden) { menu.hidden = true; if (focus) go(at.row, at.column); } }
menu.addEventListener("click", (event) => {
  const what = event.target.dataset.do;
  if (!what) return;
  closeMenu();
  ({ above: () => insert(at.row), below: () => insert(at.row + 1), up: () => move(at.row, -1), down: () => move(at.row, 1), delete: () => remove(...rowsBetween()) })[what]();
});
menu.addEventListener("keydown", (event) => {
  const items = $$("button", menu), number = items.indexOf(document.activeElement);
  if (event.key === "Escape" || event.key === "Tab") closeMenu();
  else if (event.key === "ArrowDown") items[(number + 1) % items.length].focus();
  else if (event.key === "ArrowUp") items.at(number - 1).focus();
  else return;
  event.preventDefault();
});
addEventListener("mousedown", (event) => { if (!menu.contains(event.target)) closeMenu(false); });
addEventListener("scroll", () => closeMenu(false), true);

// ---- undo

const back = (way) => { if (!state[way]) return; if (editor) finish(false, 0, 0); change(`back/${way}?part=${encodeURIComponent(part)}`, {}); };
$("#undo").addEventListener("click", () => back("undo"));
$("#redo").addEventListener("click", () => back("redo"));
const unlessTyping = (way) => (event) => { if (!event.target.closest("textarea, dialog")) back(way); };
key("ctrl z", (event) => (event.shiftKey ? unlessTyping("redo") : unlessTyping("undo"))(event));
key("ctrl y", unlessTyping("redo"));

// ---- how they look

function showLook() {
  const look = state.look;
  $("#look").hidden = !look || state.shipped;
  if ($("#look").hidden) return;
  $("#written").replaceChildren(...(state.bare
    ? ["To choose colours, fonts and sizes, keep the cards as a game."]
    : ["Written to ", make("code", {}, "cards.yaml"), ", ", make("code", {}, "theme.yaml"), " and ", make("code", {}, "game.yaml"), "; your own lines and comments stay."]));
  $("#own-face").hidden = !look.own_face;
  $("#own-face").textContent = look.own_face ? `These cards have a face of their own, ${look.own_face}: change it in any editor. Another face replaces it in game.yaml; the file stays.` : "";
  options($("#size"), look.sizes, look.size);
  options($("#font"), { "": "Lato", ...Object.fromEntries(look.fonts.map((name) => [name, name.split("/").pop()])) }, look.font);
  const sure = state.bare;
  const swatch = (label, colour, name) => make("label", { className: "swatch" },
    make("input", { type: "color", id: `colour-${name}`, value: colour, disabled: sure, onchange: (event) => choose("colour", event.target.value, name) }), label);
  $("#colours").replaceChildren(
    ...(look.types.length ? [make("span", {}, "Colour by type"), ...look.types.map(({ name, label, colour }) => swatch(label, colour, name))] : []),
    make("span", { className: "last" }, look.types.length ? "Backs" : "Cards and backs"), swatch("All cards", look.back || "#24507a", "accent"));
  $$("[data-size]").forEach((input) => {
    const name = input.dataset.size, [low, high, unit] = look.spans[name], given = look.given[name];
    input.min = low; input.max = high; input.step = unit === "mm" ? 1 : 0.5;
    input.value = given ?? { title: 14, text: 9, picture: 30 }[name];
    input.disabled = sure || !look.face || (name === "picture" && !["standard", "tarot"].includes(look.face));
    input.closest(".slider").classList.toggle("usual", !given);
    $("output", input.parentElement).textContent = given ? `${given} ${unit}` : "auto";
    $(`[data-usual=${name}]`).hidden = !given || sure;
  });
  for (const control of [$("#font"), $("#font-file")]) control.disabled = sure;
}

async function showFaces() {
  const look = state.look, card = chosen()?.name ?? "";
  if ($("#look").hidden || !cards.pieces.length) { $("#faces").hidden = true; return; }
  const data = await ask(`${PAGE}/faces?part=${encodeURIComponent(part)}&card=${encodeURIComponent(card)}`);
  $("#faces").hidden = !data.faces.length;
  const focused = document.activeElement?.name === "face" && document.activeElement.value;
  const labels = data.faces.map((face) => make("label", {},
    make("input", { type: "radio", name: "face", value: face.name, checked: face.name === look.face, onchange: () => choose("face", face.name) }),
    picture(face.side, 108), make("b", {}, face.title)));
  $("#faces").replaceChildren($("#faces legend"), ...labels);
  if (focused) $(`[name=face][value=${focused}]`)?.focus();
}

/** A side cut to its trim, `width` CSS pixels wide. */
function picture(view, width) {
  const box = make("div", { className: "card" });
  if (!view?.key) { box.style.aspectRatio = "63.5 / 88.9"; return box; }
  const { bleed, width: full, height } = view, trim = full - 2 * bleed, high = height - 2 * bleed;
  box.style.aspectRatio = `${trim} / ${high}`;
  if (trim > high) box.style.alignSelf = "center";
  const pixels = Math.round((width * devicePixelRatio * full) / trim / 16) * 16;
  const image = make("img", { alt: "", loading: "lazy", decoding: "async", src: `${PAGE}/picture/${view.key}/${pixels}.png`, onerror: () => again(box, view.key) });
  image.style.width = `${(100 * full) / trim}%`;
  image.style.left = `${(-100 * bleed) / trim}%`;
  image.style.top = `${(-100 * bleed) / high}%`;
  box.append(image);
  return box;
}

/** A picture that is out of date is asked for once more. */
function again(box, name) {
  if (again.tried.has(name)) return;
  again.tried.add(name);
  box.closest("li")?.removeAttribute("data-key");
  clearTimeout(refresh.timer);
  refresh.timer = setTimeout(refresh, 500);
}
again.tried = new Set();

$("#size").addEventListener("change", (event) => choose("size", event.target.value));
$("#font").addEventListener("change", (event) => choose("font", event.target.value || null));
$("#deck").addEventListener("change", (event) => { part = event.target.value; draft = Infinity; load(); });
$("#worksheet").addEventListener("change", (event) => choose("sheet", event.target.value));
$("#headings").addEventListener("change", (event) => choose("headings", event.target.checked ? "yes" : "no"));
$$("[data-size]").forEach((input) => {
  input.addEventListener("input", () => { $("output", input.parentElement).textContent = `${input.value} ${state.look.spans[input.dataset.size][2]}`; });
  input.addEventListener("change", () => choose(input.dataset.size, input.value));
});
$$("[data-usual]").forEach((button) => button.addEventListener("click", () => choose(button.dataset.usual, null)));

// ---- fonts and pictures as files

async function keepFiles(files) {
  for (const file of files) {
    status(`Saving ${file.name}…`);
    try { apply(await enqueue(() => ask(`${PAGE}/file?name=${encodeURIComponent(file.name)}&part=${encodeURIComponent(part)}`, file))); saved(); } catch (error) { refused(error); return; }
  }
  await refresh();
}
$("#font-file").addEventListener("change", (event) => { keepFiles([...event.target.files]); event.target.value = ""; });
const over = (event) => { if (event.dataTransfer.types.includes("Files")) { event.preventDefault(); $("#font-drop").classList.add("over"); } };
addEventListener("dragover", over);
addEventListener("dragleave", (event) => { if (!event.relatedTarget) $("#font-drop").classList.remove("over"); });
addEventListener("drop", (event) => {
  $("#font-drop").classList.remove("over");
  if (event.dataTransfer.files.length) { event.preventDefault(); keepFiles([...event.dataTransfer.files]); }
});

// ---- the cards

const lineOf = (piece) => piece.place.match(/(\d+)\D*$/)?.[1] ?? "";
const chosen = () => cards.pieces.find((piece) => lineOf(piece) === body.rows[at.row]?.dataset.line) ?? cards.pieces[0];

function showCards() {
  const pieces = cards.pieces;
  $("#cards-title").textContent = pieces.length ? `Card${pieces.length === 1 ? "" : "s"} 1 to ${pieces.length} of ${pieces.length}` : "Cards";
  const old = new Map($$("#cards > li").map((item) => [item.dataset.key, item]));
  $("#cards").replaceChildren(...pieces.map((piece) => {
    const view = piece[side], id = JSON.stringify([piece.name, view?.key, piece.title, piece.copies, piece.problems, side]);
    const line = lineOf(piece);
    return old.get(id) ?? make("li", { dataset: { key: id, line } }, make("button", { type: "button", "aria-pressed": "false",
      "aria-label": `${piece.title}, ${piece.copies} ${piece.copies === 1 ? "copy" : "copies"}${piece.problems.length ? `, ${piece.problems.length} problem${piece.problems.length > 1 ? "s" : ""}` : ""}`,
      onclick: () => { const row = [...body.rows].findIndex((each) => each.dataset.line === line); if (row >= 0) go(row, at.column, { focus: false }); } },
    picture(view, 140), ...piece.problems.slice(0, 1).map((number) => make("b", { className: "number", ariaHidden: "true" }, String(number))),
    make("span", { ariaHidden: "true" }, piece.copies === 1 ? "" : `×${piece.copies}`)));
  }));
  if (!pieces.length) $("#cards").replaceChildren(make("li", { className: "none" }, cards.problems.length ? "Correct the table, and its cards appear here." : "Each row becomes a card."));
  chooseCard();
}

function chooseCard() {
  const line = body.rows[at.row]?.dataset.line;
  $$("#cards > li").forEach((item) => {
    const here = item.dataset.line === line && line !== "";
    if (!$("button", item)) return;
    const was = $("button", item).getAttribute("aria-pressed") === "true";
    $("button", item).setAttribute("aria-pressed", here);
    if (here && !was) { item.scrollIntoView({ block: "nearest", inline: "nearest" }); clearTimeout(chooseCard.timer); chooseCard.timer = setTimeout(showFaces, 150); }
  });
}

$$("[data-side]").forEach((button) => button.addEventListener("click", () => {
  side = button.dataset.side;
  $$("[data-side]").forEach((each) => each.setAttribute("aria-pressed", each === button));
  showCards();
}));

// ---- problems

function showProblems(told = []) {
  const all = [...told, ...cards.problems];
  const count = cards.problems.length;
  $("#problems").hidden = !all.length;
  $("#problems").replaceChildren(...all.map((problem, number) => make("li", {}, make("button", { type: "button", onclick: () => goProblem(problem) },
    make("span", { className: "number" }, problem.refused ? "!" : String(number + 1 - told.length)),
    problem.file ? make("code", { className: "file" }, `${problem.file.split("/").pop()}${problem.line ? `:${problem.line}` : ""}`) : null,
    make("span", {}, `${problem.message}${problem.hint ? `; ${problem.hint}` : ""}`)))));
  $("#summary").textContent = told.length ? "This was not saved." : count ? `${count} problem${count > 1 ? "s" : ""}. ${cards.pieces.length ? `The last good pictures stay until ${count > 1 ? "they are" : "it is"} fixed.` : ""}` : cards.pieces.length ? "No problems." : "";
  if (count !== (showProblems.count ?? 0)) say($("#summary").textContent);
  showProblems.count = count;
}

const columnOf = (problem) => state.headings.findIndex((heading) => problem.message.includes(`“${heading}”`));
const ownTable = (problem) => state.file && problem.file === state.file;
function goProblem(problem) {
  const row = [...body.rows].findIndex((each) => each.dataset.line && Number(each.dataset.line) === problem.line);
  if (ownTable(problem) && row >= 0) go(row, Math.max(0, columnOf(problem)));
}
function showWrong() {
  $$("td.wrong", body).forEach((each) => { each.classList.remove("wrong"); each.removeAttribute("aria-invalid"); each.title = ""; });
  for (const problem of cards.problems.filter(ownTable)) {
    const row = [...body.rows].find((each) => Number(each.dataset.line) === problem.line), target = row?.cells[columnOf(problem) + 1];
    if (target?.matches("td")) { target.classList.add("wrong"); target.setAttribute("aria-invalid", "true"); target.title = problem.message; }
  }
}
let nextProblem = 0;
key("f8", () => { const all = cards.problems.filter(ownTable); if (all.length) goProblem(all[nextProblem++ % all.length]); });

// ---- keeping

function askName(title, about, button, name) {
  const dialog = $("#name");
  $("#name-title").textContent = title;
  $("#name-about").textContent = about;
  $("#name-ok").textContent = button;
  $("#folder-name").value = name;
  $("#name-refused").hidden = true;
  dialog.showModal();
  $("#folder-name").select();
}
async function keep() {
  try { location.assign((await ask(`${PAGE}/keep`, { what: "keep", name: $("#folder-name").value })).address); } catch (error) {
    const told = error.problems?.map((problem) => [problem.message, problem.hint].filter(Boolean).join("; ")).join(". ") ?? "Pencilbox does not answer: start it again";
    $("#name-refused").textContent = `${told[0].toUpperCase()}${told.slice(1)}.`;
    $("#name-refused").hidden = false;
  }
}
$("#name-ok").addEventListener("click", keep);
$("#folder-name").addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); keep(); } });
$("#keep").addEventListener("click", () => askName("Keep as a game", "A new folder with your table, game.yaml, cards.yaml and theme.yaml, where the studio was started.", "Keep as a game", state.file.split("/").pop().replace(/\.\w+$/, "")));
$("#as-csv").addEventListener("click", () => choose("csv", null));
$("#copy").addEventListener("click", () => askName("Copy this game", "A new folder where the studio was started. The copy has no random sets and no rules in Python.", "Copy it", `my_${project}`));

listen({ changed: () => { if (editor) missed = true; else load(); }, drawn: () => { if (cards.pieces.length <= 200) refresh(); }, opened: () => refresh(), reconnected: load });
load();
