import { $, $$, Refused, ask, icon, key, listen, make, project, say, status } from "./studio.js";

const address = new URL(location.href);
const stored = (name) => JSON.parse(localStorage.getItem(`design-${name}`) ?? "null");
const store = (name, value) => localStorage.setItem(`design-${name}`, JSON.stringify(value));
const SWITCHES = ["low_ink", "high_contrast", "large_print"];
const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];
const look = stored("look") ?? { paper: $(".desk").dataset.usual };
for (const name of ["paper", ...SWITCHES]) if (address.searchParams.has(name)) look[name] = address.searchParams.get(name);
let part = address.searchParams.get("part") ?? "";
let view = address.searchParams.get("view") ?? "sheet";
let chosen = address.searchParams.get("card") ?? "";
let zoom = stored("zoom") ?? 1;
let lines = stored("lines") ?? true;
let side = "front";
let state = { pieces: [], parts: [], problems: [], notes: [], files: [], columns: [], faces: [] };
let problem = 0; // the number of the chosen problem
let savedAt = 0; // when the change was saved that is not on the screen yet

const query = (more = {}) => {
  const values = { part, paper: look.paper, ...Object.fromEntries(SWITCHES.filter((name) => look[name] === "1").map((name) => [name, "1"])), ...more };
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value));
};
function remember() {
  store("look", look);
  history.replaceState(null, "", `?${query({ view: view === "sheet" ? "" : view, card: chosen })}`);
}
const words = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
const svg = (tag, attributes = {}, ...content) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
};
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const place = (problem) => problem.place.split("/").pop().replace(/ \(.*\)$/, "");

// ---- pictures: loaded when they are visible, decoded off screen, and swapped in one frame

const waiting = new Set(); // [slot, image] that are decoded
let loading = 0;
function swap() {
  for (const [slot, image] of waiting) if (slot.wanted === image.address) slot.replaceChildren(image);
  waiting.clear();
  if (savedAt && !loading) {
    status(`Shown ${Math.max(0, Math.round(Date.now() - savedAt * 1000))} ms after saving`);
    document.dispatchEvent(new CustomEvent("shown"));
    savedAt = 0;
  }
}
async function load(slot, data, width, fit) {
  const pixels = Math.min(4000, Math.ceil((width * devicePixelRatio) / 80) * 80);
  const source = `/g/${project}/picture/${data.key}/${pixels}.png`;
  fit(slot.firstElementChild);
  if (slot.wanted === source) return;
  slot.wanted = source;
  const image = make("img", { alt: "", src: source, draggable: false });
  image.address = source;
  loading++;
  try {
    await image.decode();
  } catch {
    if (slot.wanted === source) slot.wanted = "";
    requestAnimationFrame(swap); // others may have waited for this one
    if (slot.missed !== source) setTimeout(update, 300); // it was out of date, or the server was away: once more
    slot.missed = source;
    return;
  } finally {
    loading--;
  }
  if (slot.wanted !== source) return;
  fit(image);
  if (!waiting.size) requestAnimationFrame(swap);
  waiting.add([slot, image]);
}

// ---- cards on the desk

const CORNER = { hex: "polygon(0 50%, 25% 0, 75% 0, 100% 50%, 75% 100%, 25% 100%)", "pointed-hex": "polygon(50% 0, 100% 25%, 100% 75%, 50% 100%, 0 75%, 0 25%)" };
const trim = (data) => [data.width - 2 * data.bleed, data.height - 2 * data.bleed];
const deck = () => ["deck", "pawns"].includes(state.kind);

/** Pixels per mm at 100%. */
function unit() {
  if (unit.of !== state || unit.view !== view) Object.assign(unit, { of: state, view, value: newUnit() });
  return unit.value;
}
function newUnit() {
  const widest = Math.max(...state.pieces.map((piece) => (piece.front ? trim(piece.front)[0] : 0)), 1);
  if (view === "pages" || !deck()) return (view === "pages" || ["sheet", "page", "booklet"].includes(state.kind) ? 280 : state.kind === "dice" ? 112 : state.kind === "board" ? 520 : 180) / (view === "pages" ? 210 : widest);
  return Math.min(Math.max(160 / 63.5, 104 / widest), 232 / widest);
}

/** The red pen round a box: a loop whose ends cross at the top left. */
function loop([x, y, width, height]) {
  const r = Math.min(3, width / 4, height / 4), [right, bottom] = [x + width, y + height], w = Math.min(width, height) * 0.012 + 0.1;
  return `M${x + width * 0.28} ${y - w}C${x + width * 0.12} ${y + w} ${x + r} ${y - w} ${x + w} ${y + r}C${x - w} ${y + height * 0.4} ${x + w * 2} ${bottom - r * 2} ${x + r * 0.4} ${bottom - r * 0.4}` +
    `C${x + r * 2} ${bottom + w * 2} ${right - r * 3} ${bottom - w} ${right - r * 0.5} ${bottom - r * 0.2}C${right + w * 2} ${bottom - r * 2} ${right - w} ${y + r * 3} ${right - w} ${y + r}` +
    `C${right - r * 0.4} ${y - w} ${right - r * 2} ${y + w} ${x + width * 0.5} ${y + w}S${x + r * 2} ${y + w * 2} ${x + r * 0.8} ${y + w * 3}`;
}
/** The marks of problems on a side, in the box of its trim grown by `reach` mm. */
function marks(data, numbers, reach = 0) {
  const [width, height] = trim(data), [w, h] = [width + 2 * reach, height + 2 * reach];
  const flaws = data.flaws ?? [];
  const placed = new Set(flaws.flatMap((flaw) => flaw.numbers));
  const rest = numbers.filter((number) => !placed.has(number));
  const pen = svg("svg", { class: "pen", viewBox: `${-reach} ${-reach} ${w} ${h}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const pin = (number, x, y) => {
    const element = make("span", { className: "number pin", dataset: { number } });
    element.style.left = `${(100 * (x + reach)) / w}%`;
    element.style.top = `${(100 * (y + reach)) / h}%`;
    return element;
  };
  const pins = [];
  for (const { numbers: own, box } of flaws) {
    const grown = [box[0] - 1.2, box[1] - 1.2, box[2] + 2.4, box[3] + 2.4];
    for (const kind of ["halo", ""]) pen.append(svg("path", { class: kind, d: loop(grown) }));
    own.forEach((number, at) => pins.push(pin(number, box[0] + box[2], box[1] + at * 8)));
  }
  rest.forEach((number, at) => pins.push(pin(number, width - 1, 1 + at * 8)));
  return [...(flaws.length ? [pen] : []), ...pins];
}

function sideElement() {
  const cut = make("span", { className: "cut" });
  const element = make("span", { className: "lying" }, cut);
  return element;
}
/** Shows a side in a piece, of which only the trim is seen; without data, blank paper. */
function showSide(element, data, numbers, visible) {
  const scale = unit() * zoom, sample = data ?? state.pieces.find((piece) => piece.front)?.front ?? { width: 63.5, height: 88.9, bleed: 0 };
  const [width, height] = trim(sample), cut = element.firstElementChild, bleed = sample.bleed * scale;
  element.style.width = `${width * scale}px`;
  element.style.height = `${height * scale}px`;
  const radius = sample.radius ?? (state.kind === "deck" && view !== "pages" ? 2.8 : 0.4);
  cut.style.borderRadius = sample.shape === "round" ? "50%" : CORNER[sample.shape] ? "" : `${radius * scale}px`;
  cut.style.clipPath = CORNER[sample.shape] ?? "";
  element.replaceChildren(cut, ...(data ? marks(data, numbers) : []));
  if (data && visible) load(cut, data, data.width * scale, (image) => {
    if (!image) return;
    image.style.left = image.style.top = `${-bleed}px`;
    image.style.width = `${data.width * scale}px`;
    image.style.height = `${data.height * scale}px`;
  });
}

const items = new Map(); // name → li
const visible = new Set();
const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) visible.add(target); else visible.delete(target);
    if (isIntersecting) showItem(target);
  }
}, { rootMargin: "240px" });
const seen = () => [...visible].filter((item) => item.isConnected).map((item) => item.piece.name);

function makeItem(piece) {
  const button = make("button", { type: "button", className: "piece", tabIndex: -1, onclick: () => choose(piece.name, true) },
    make("span", { className: "lie" }), make("span", { className: "label", ariaHidden: "true" }, make("span", { className: "words" }), make("span")));
  const item = make("li", {}, button);
  observer.observe(item);
  return item;
}
function showItem(item) {
  const { piece } = item, button = item.firstElementChild, [lie, label] = button.children;
  const sides = view === "sides" && piece.back ? [piece.front, piece.back] : [piece.front];
  while (lie.children.length < sides.length) lie.append(sideElement());
  while (lie.children.length > sides.length) lie.lastElementChild.remove();
  sides.forEach((data, at) => showSide(lie.children[at], data, at ? [] : piece.problems, visible.has(item)));
  label.firstElementChild.textContent = piece.title;
  label.lastElementChild.textContent = piece.copies > 1 ? `×${piece.copies}` : "";
  label.style.width = `${Math.max(64, [...lie.children].reduce((sum, each) => sum + parseFloat(each.style.width), 8 * (sides.length - 1)))}px`;
  button.setAttribute("aria-label", [piece.title, ...(piece.copies > 1 ? [words(piece.copies, "copy", "copies")] : []), ...(piece.problems.length ? [words(piece.problems.length, "problem")] : [])].join(", "));
  if (piece.name === chosen && view !== "pages") button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
}
function showPieces(pieces) {
  const names = new Set(pieces.map((piece) => piece.name));
  for (const [name, item] of items) if (!names.has(name)) { observer.unobserve(item); visible.delete(item); item.remove(); items.delete(name); }
  const list = $("#pieces");
  pieces.forEach((piece, at) => {
    const item = items.get(piece.name) ?? makeItem(piece);
    items.set(piece.name, item);
    if (list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null);
    const now = `${view} ${zoom} ${unit()} ${JSON.stringify(piece)}`;
    item.piece = piece;
    if (item.now !== now) showItem(item);
    item.now = now;
  });
  find();
}

// ---- finding

const wanted = () => $("#find").value.trim().toLowerCase();
function find() {
  const text = wanted();
  let found = 0;
  for (const item of items.values()) {
    const { piece } = item;
    item.hidden = Boolean(text) && ![piece.title, piece.name, ...(piece.row ?? [])].some((value) => value.toLowerCase().includes(text));
    found += !item.hidden;
  }
  const empty = $("#empty");
  empty.hidden = found > 0;
  if (!found && items.size) {
    empty.replaceChildren(make("h2", {}, `${deck() ? "No card" : "Nothing"} has ‘${$("#find").value.trim()}’.`), make("button", { type: "button", className: "button", onclick: clear }, "Clear"));
    say(empty.firstElementChild.textContent);
  } else if (!found) {
    empty.replaceChildren(make("h2", {}, state.problems.length ? "This game cannot be read yet. Fix the problems below." : "This game has nothing to draw yet. Add a component to its game.yaml."));
    empty.hidden = !state.loaded;
  }
  rove();
}
function clear() { $("#find").value = ""; find(); $("#find").focus(); }
$("#find").addEventListener("input", find);
$("#find").addEventListener("keydown", (event) => { if (event.key === "Escape") clear(); });
key("/", () => { $("#find").focus(); $("#find").select(); });

// ---- going from card to card

const shownItems = () => [...$("#pieces").children].filter((item) => !item.hidden);
function rove(to = document.activeElement?.closest?.("#pieces li") ?? items.get(chosen)) {
  const all = shownItems(), target = all.includes(to) ? to : all[0];
  for (const item of all) item.firstElementChild.tabIndex = item === target ? 0 : -1;
  return target;
}
$("#pieces").addEventListener("keydown", (event) => {
  const all = shownItems(), here = event.target.closest("li"), at = all.indexOf(here);
  const box = (item) => item.getBoundingClientRect();
  const row = (step) => {
    const middle = box(here).left + box(here).width / 2, rest = step > 0 ? all.slice(at + 1) : all.slice(0, Math.max(at, 0)).reverse();
    const top = rest.map((item) => box(item).top).find((value) => Math.abs(value - box(here).top) > 8);
    return rest.filter((item) => Math.abs(box(item).top - top) < 8).sort((a, b) => Math.abs(box(a).left + box(a).width / 2 - middle) - Math.abs(box(b).left + box(b).width / 2 - middle))[0];
  };
  const to = { ArrowRight: () => all[at + 1], ArrowLeft: () => all[at - 1], ArrowDown: () => row(1), ArrowUp: () => row(-1), Home: () => all[0], End: () => all.at(-1) }[event.key]?.();
  if (!to) return;
  event.preventDefault();
  rove(to);
  to.firstElementChild.focus();
});

// ---- the parts and files

/** Calls a function unless what it shows is the same as the last time. */
const last = new Map();
function ifChanged(show, ...data) {
  const now = JSON.stringify(data);
  if (last.get(show) !== now) show();
  last.set(show, now);
}
function showParts() {
  $("#parts").replaceChildren(...state.parts.map((each) => {
    const thumb = each.thumb && make("img", { alt: "", src: `/g/${project}/picture/${each.thumb.key}/80.png` });
    return make("li", {}, make("button", { type: "button", "aria-current": each.name === part ? "true" : null, onclick: () => go(each.name) },
      make("span", { className: "thumb" }, thumb), make("span", { className: "words" }, make("b", {}, each.title), make("small", {}, each.about)),
      each.problems.length ? make("span", { className: "number", title: words(each.problems.length, "problem") }, String(each.problems.length), make("span", { className: "unseen" }, each.problems.length === 1 ? " problem" : " problems")) : null));
  }));
  $("#files-group").hidden = !state.files.length;
  $("#files").replaceChildren(...state.files.map((file) => make("li", {}, make("span", { className: "name", title: file.name }, file.name),
    file.saved ? make("span", { className: "caption saved" }, `saved ${new Date(file.saved * 1000).toTimeString().slice(0, 8)}`)
      : file.count !== null ? make("span", { className: "caption" }, words(file.count, "file")) : null)));
}
function go(name) {
  if (name !== part) { part = name; chosen = ""; side = "front"; pagesOf = ""; $("#find").value = ""; }
  $("#scroll").scrollTop = 0;
  return update();
}

// ---- the chosen card

function choose(name, open = false) {
  if (view === "pages") return;
  const before = items.get(chosen);
  chosen = name;
  for (const item of [before, items.get(name)]) if (item) showItem(item);
  rove(items.get(name));
  showChosen();
  if (open) $("#chosen").classList.add("open");
  remember();
}
function lineArt(data, box) {
  const [width, height] = trim(data), b = data.bleed, s = data.safe, gap = 4 / box, out = 9 / box;
  const outline = (inset, kind) => {
    const [x, y, w, h] = [inset, inset, width - 2 * inset, height - 2 * inset];
    if (data.shape === "round") return svg("ellipse", { class: kind, cx: width / 2, cy: height / 2, rx: w / 2, ry: h / 2 });
    if (CORNER[data.shape]) {
      const steps = data.shape === "hex" ? [[0, 2], [1, 0], [3, 0], [4, 2], [3, 4], [1, 4]] : [[2, 0], [4, 1], [4, 3], [2, 4], [0, 3], [0, 1]];
      return svg("polygon", { class: kind, points: steps.map(([i, j]) => `${x + (i * w) / 4},${y + (j * h) / 4}`).join(" ") });
    }
    return svg("rect", { class: kind, x, y, width: w, height: h, rx: Math.max(0, (data.radius ?? 0) - inset) });
  };
  const ticks = [];
  for (const [x, sign] of [[0, -1], [width, 1]]) for (const [y, down] of [[0, -1], [height, 1]]) {
    ticks.push(svg("line", { class: "tick", x1: x, x2: x, y1: y + down * (b + gap), y2: y + down * (b + gap + out) }), svg("line", { class: "tick", y1: y, y2: y, x1: x + sign * (b + gap), x2: x + sign * (b + gap + out) }));
  }
  const wash = b ? [svg("path", { class: "wash", "fill-rule": "evenodd", d: `M${-b} ${-b}h${width + 2 * b}v${height + 2 * b}h${-width - 2 * b}zM0 0v${height}h${width}v${-height}z` })] : [];
  return svg("svg", { class: "lines", viewBox: `${-b} ${-b} ${data.width} ${data.height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...wash, ...ticks, outline(0, "trim"), ...(s ? [outline(s, "safe white"), outline(s, "safe")] : []));
}
const mm = (value) => Number(value.toFixed(1)).toString();
function legend(data) {
  const [width, height] = trim(data);
  const line = (kind) => svg("svg", { viewBox: "0 0 20 10" }, kind === "rect" ? svg("rect", { width: 20, height: 10 }) : svg("line", { class: kind, x1: 0, x2: 20, y1: 5, y2: 5 }));
  const entry = (kind, text) => make("span", {}, line(kind), text);
  return make("button", { type: "button", className: "legend", "aria-pressed": String(lines), title: lines ? "Hide these lines (L)" : "Show these lines (L)", onclick: toggleLines },
    ...(data.bleed ? [entry("rect", `bleed ${mm(data.bleed)} mm`)] : []), entry("", `trim ${mm(width)} × ${mm(height)} mm`), ...(data.safe ? [entry("dash", `safe ${mm(data.safe)} mm`)] : []));
}
function showChosen() {
  const panel = $("#chosen"), piece = state.pieces.find((each) => each.name === chosen);
  if (!piece) { panel.replaceChildren(); panel.classList.remove("open"); return; }
  if (!piece.back) side = "front";
  const data = piece[side], at = state.pieces.indexOf(piece) + 1;
  const about = deck() ? `Card ${at} of ${state.pieces.length}${piece.copies > 1 ? `, ${piece.copies} copies` : ""}` : `${at} of ${state.pieces.length}`;
  const flips = piece.back && make("span", { className: "segments", role: "group", ariaLabel: "Side" }, ...["front", "back"].map((name) => make("button", { type: "button", "aria-pressed": String(side === name), onclick: () => { side = name; showChosen(); } }, name === "front" ? "Front" : "Back")));
  const closer = make("button", { type: "button", className: "tool close", ariaLabel: "Close", onclick: close }, icon("close"));
  const old = $(".sheet", panel), sheet = old ?? make("div", { className: "sheet" }, make("span", { className: "picture" }));
  const large = make("div", { className: "large" });
  if (data) {
    const box = Math.min(292 / data.width, 404 / data.height, 12), slot = sheet.firstElementChild;
    sheet.style.width = `${data.width * box}px`;
    sheet.style.height = `${data.height * box}px`;
    sheet.replaceChildren(slot, ...(lines ? [lineArt(data, box)] : []), ...marks(data, side === "front" ? piece.problems : [], data.bleed));
    slot.style.display = "contents";
    load(slot, data, data.width * box, () => {});
    large.append(sheet, legend(data));
  } else large.append(make("p", { className: "caption" }, piece.drawn ? "Not drawn, because of its problems." : "Drawing…"));
  const focused = panel.contains(document.activeElement) && document.activeElement.textContent;
  const scrolled = panel.scrollTop;
  panel.replaceChildren(make("div", { className: "head" }, make("div", {}, make("h2", {}, piece.title), make("p", { className: "caption" }, about)), flips, closer), large, rowOf(piece));
  panel.scrollTop = scrolled;
  if (focused) $$("button", panel).find((button) => button.textContent === focused)?.focus();
}
function rowOf(piece) {
  const section = make("section", { className: "row" });
  const wrong = new Set(piece.problems.map((number) => state.problems[number - 1]?.place.match(/\((.+)\)$/)?.[1]));
  if (piece.place) {
    section.append(make("header", {}, make("h2", {}, piece.editable || /\.(xlsx|ods)/.test(piece.place) ? "Row " : "Card ", make("span", { className: "file", title: piece.place }, piece.place.split("/").pop()))),
      make("table", {}, make("tbody", {}, ...state.columns.map((column, at) => make("tr", { className: wrong.has(column) ? "wrong" : "" },
        make("th", { scope: "row" }, column), make("td", {}, valueOf(piece, at), wrong.has(column) ? make("span", { className: "unseen" }, " (has a problem)") : null))))));
    if (piece.editable) $("header", section).append(make("small", {}, "Click a value to change it"));
  }
  if (state.faces.length) section.append(make("h3", {}, state.faces.length > 1 ? "Faces" : "Face"), ...state.faces.map((face) => make("p", { className: "file" }, face)));
  return section;
}
const cellAddress = (piece, at) => `/g/${project}/cell/${encodeURIComponent(part)}/${encodeURIComponent(piece.name)}/${at}`;
function valueOf(piece, at) {
  const text = make("span", {}, piece.row[at]);
  if (!piece.editable) return text;
  return make("button", { type: "button", className: "value", ariaLabel: `Change ${state.columns[at]}: ${piece.row[at] || "empty"}`, onclick: (event) => edit(event.currentTarget, piece, at) }, text);
}
async function edit(button, piece, at) {
  const { value: was } = await ask(cellAddress(piece, at)).catch(refused);
  const field = make("textarea", { value: was, rows: Math.min(6, 1 + Math.floor(was.length / 32)), ariaLabel: state.columns[at] });
  const cell = button.parentElement;
  const done = async (value) => {
    if (!field.isConnected || field.finished) return;
    field.finished = true;
    if (value !== was) { try { await ask(cellAddress(piece, at), { was, value }); } catch (error) { refused(error); } }
    field.replaceWith(button);
    button.focus();
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); done(field.value); }
    if (event.key === "Escape") { event.stopPropagation(); done(was); }
  });
  field.addEventListener("blur", () => done(field.value));
  cell.replaceChild(field, button);
  field.focus();
  field.select();
}
/** Shows why the server has refused something. */
function refused(error) {
  if (!(error instanceof Refused)) throw error;
  const text = error.problems.map((each) => [capital(each.message), each.hint].filter(Boolean).join("; ")).join("\n");
  $("#job").replaceChildren(make("span", { className: "wrong" }, text));
  status(text, true);
  throw error;
}
function toggleLines() { lines = !lines; store("lines", lines); showChosen(); }
function flip() {
  const piece = state.pieces.find((each) => each.name === chosen);
  if (!piece?.back) return;
  side = side === "front" ? "back" : "front";
  showChosen();
  say(side === "front" ? "Front" : "Back");
}
function close() {
  $("#chosen").classList.remove("open");
  items.get(chosen)?.firstElementChild.focus();
}
key("f", flip);
key("l", toggleLines);
key("escape", () => { if ($("#chosen").classList.contains("open")) close(); });

// ---- problems

function showProblems() {
  const panel = $("#problems"), { problems, notes } = state;
  panel.hidden = !problems.length && !notes.length;
  const rows = problems.map((each, at) => make("li", { className: at + 1 === problem ? "on" : "" },
    make("button", { type: "button", className: "go", onclick: () => chooseProblem(at + 1) }, make("span", { className: "number" }, String(at + 1)),
      each.place ? make("span", { className: "file", title: each.place }, place(each)) : null, make("span", { className: "said" }, capital(each.message), each.hint ? make("small", {}, each.hint) : null)), action(each, at + 1)));
  const more = notes.map((each) => make("li", {}, make("span", { className: "number note", ariaHidden: "true" }, "i"), each.place ? make("span", { className: "file", title: each.place }, place(each)) : null,
    make("span", { className: "said" }, capital(each.message), each.hint ? make("small", {}, each.hint) : null)));
  const title = [problems.length ? words(problems.length, "problem") : "", notes.length ? words(notes.length, "note") : ""].filter(Boolean).join(", ");
  panel.replaceChildren(make("header", {}, make("h2", {}, title), problems.length ? make("small", {}, "The last good pictures stay until these are fixed.") : null,
    problems.length > 1 ? make("small", { className: "next" }, make("kbd", {}, "F8"), " next") : null), make("ol", {}, ...rows, ...more));
}
function action(each, number) {
  if (!each.place) return null;
  const piece = state.pieces.find((one) => one.problems.includes(number)), at = state.columns.indexOf(each.fix?.column);
  if (each.fix && piece?.editable && at >= 0) {
    return make("button", { type: "button", className: "button", onclick: () => ask(cellAddress(piece, at), each.fix).catch(refused) }, `Use “${each.fix.value}”`);
  }
  return make("button", { type: "button", className: "button", onclick: async (event) => {
    const button = event.currentTarget;
    await navigator.clipboard.writeText(each.place);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy place"; }, 2000);
  } }, "Copy place");
}
async function chooseProblem(number) {
  problem = number;
  const home = state.parts.find((each) => each.problems.includes(number));
  if (home && home.name !== part) await go(home.name);
  if (view === "pages") setView("sheet");
  showProblems();
  const piece = state.pieces.find((each) => each.problems.includes(number));
  if (piece) {
    side = piece.back && !piece.front?.flaws?.some((flaw) => flaw.numbers.includes(number)) && piece.back.flaws?.length ? "back" : "front";
    choose(piece.name);
    items.get(piece.name)?.scrollIntoView({ block: "nearest" });
  }
  $("#problems li.on")?.scrollIntoView({ block: "nearest" });
  const { message, hint } = state.problems[number - 1];
  say(`Problem ${number} of ${state.problems.length}: ${[message, hint].filter(Boolean).join("; ")}`);
}
key("f8", () => { if (state.problems.length) chooseProblem((problem % state.problems.length) + 1); });

// ---- views, zoom and switches

let pagesOf = "";
async function showPages() {
  const now = `${state.version} ${query()}`;
  if (pagesOf === now) return;
  try {
    const answer = await ask(`/g/${project}/pages?${query()}`);
    pagesOf = now;
    if (view !== "pages") return;
    showPieces(answer.pages.map((front, at) => ({ name: `page ${at + 1}`, title: `Page ${at + 1} of ${answer.pages.length}`, front, copies: 1, problems: [], drawn: true })));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    $("#pieces").replaceChildren(); items.clear();
    $("#empty").hidden = false;
    $("#empty").replaceChildren(...error.problems.map((each) => make("h2", {}, each.message)));
  }
}
function setView(name) {
  view = name;
  for (const button of $$("#views button")) button.setAttribute("aria-pressed", String(button.dataset.view === view));
  $(".find").hidden = view === "pages";
  if (view === "pages") { pagesOf = ""; showPages(); } else showPieces(state.pieces);
  remember();
}
$$("#views button").forEach((button) => button.addEventListener("click", () => setView(button.dataset.view)));
function setZoom(value) {
  zoom = value;
  store("zoom", zoom);
  $("#size").textContent = `${Math.round(zoom * 100)}%`;
  $("#size").setAttribute("aria-label", `${Math.round(zoom * 100)}%, back to 100%`);
  const first = shownItems().find((item) => item.getBoundingClientRect().bottom > 120);
  for (const item of items.values()) showItem(item);
  first?.scrollIntoView({ block: "nearest" });
}
const step = (by) => setZoom(ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, ZOOMS.findIndex((each) => each >= zoom) + by))]);
$("#smaller").addEventListener("click", () => step(-1));
$("#larger").addEventListener("click", () => step(1));
$("#size").addEventListener("click", () => setZoom(1));
key("+", () => step(1));
key("=", () => step(1));
key("-", () => step(-1));
key("0", () => setZoom(1));

function showLook() {
  for (const button of $$("[data-paper]")) button.setAttribute("aria-pressed", String(button.dataset.paper === look.paper));
  $("#paper").value = ["a4", "letter"].includes(look.paper) ? "" : look.paper;
  $("#paper").classList.toggle("on", Boolean($("#paper").value));
  for (const name of SWITCHES) $(`input[name=${name}]`).checked = look[name] === "1";
}
function change(values) { Object.assign(look, values); showLook(); return update(); }
$$("[data-paper]").forEach((button) => button.addEventListener("click", () => change({ paper: button.dataset.paper })));
$("#paper").addEventListener("change", (event) => change({ paper: event.target.value || "a4" }));
SWITCHES.forEach((name) => $(`input[name=${name}]`).addEventListener("change", (event) => change({ [name]: event.target.checked ? "1" : "" })));

// ---- downloads

let job = null; // what stops it
function busy(text) {
  $("#download span").textContent = job ? text : "Download PDF";
  $("#download").setAttribute("aria-disabled", String(Boolean(job)));
  $("#export").textContent = job ? "Cancel" : "Export…";
}
async function download(order) {
  job = new AbortController();
  busy("Starting…");
  $("#job").replaceChildren();
  const switches = Object.fromEntries(SWITCHES.map((name) => [name, look[name] === "1"]));
  try {
    const answer = await fetch(`/g/${project}/downloads`, { method: "POST", body: JSON.stringify({ ...order, look: { paper: look.paper, ...switches } }), signal: job.signal });
    if (!answer.ok) throw new Refused((await answer.json()).problems);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "", read;
    while (!(read = await reader.read()).done) {
      const linesRead = (text + read.value).split("\n");
      text = linesRead.pop();
      for (const line of linesRead) {
        const { progress, done, problems } = JSON.parse(line);
        if (progress) busy(`${progress[0]} of ${progress[1]}`);
        if (problems) throw new Refused(problems);
        if (done) { make("a", { href: done.address, download: "" }).click(); $("#job").textContent = done.about; }
      }
    }
  } catch (error) {
    if (error instanceof Refused) $("#job").replaceChildren(...error.problems.map((each) => make("span", { className: "wrong" }, [each.place && `${place(each)}: `, capital(each.message), each.hint && `; ${each.hint}`].filter(Boolean).join(""))));
    else $("#job").textContent = error.name === "AbortError" ? "Cancelled." : "Pencilbox has stopped. Start it again.";
  }
  job = null;
  busy();
}
$("#download").addEventListener("click", () => { if (!job) download({ part }); });
key("ctrl p", () => $("#download").click());

let targets = [];
$("#export").addEventListener("click", async () => {
  if (job) { job.abort(); return; }
  targets = await ask(`/g/${project}/targets`).catch(refused);
  $("#target").replaceChildren(make("option", { value: "pdf-all" }, "pdf: every part as it is printed"), ...targets.map((each) => make("option", { value: each.name }, each.name)));
  $("#target").value = targets.some((each) => each.name === stored("target")) ? stored("target") : "png";
  $("select[name=parts]").replaceChildren(make("option", { value: "" }, "All that it takes"), ...state.parts.map((each) => make("option", { value: each.name }, each.title)));
  showTarget();
  $("#export-dialog").showModal();
});
const entry = (label, field) => make("label", { className: "entry" }, make("span", {}, label), field);
function showTarget() {
  const target = targets.find((each) => each.name === $("#target").value);
  $("#target-about").textContent = target ? `${capital(target.about)}.` : "A zip file with a PDF of each part.";
  $("select[name=parts]").parentElement.hidden = !target;
  $("#target-options").replaceChildren(...(!target ? [] : [
    target.products.length ? entry("Product", make("select", { className: "field", name: "product" }, make("option", { value: "" }, "The one that fits"), ...target.products.map((each) => make("option", { value: each.name }, each.title)))) : "",
    target.dpi ? entry("Dots per inch", make("input", { className: "field", type: "number", name: "dpi", min: 30, max: 1200, placeholder: target.dpi })) : "",
    target.bleed ? make("label", { className: "switch" }, make("span", {}, "With bleed"), make("input", { type: "checkbox", role: "switch", name: "bleed", checked: true })) : "",
    target.surname ? entry("Your surname, for the file names", make("input", { className: "field", name: "surname" })) : "",
    target.skip ? entry("Slots that stay empty, such as 3,7", make("input", { className: "field", name: "skip" })) : "",
  ].filter(Boolean)));
}
$("#target").addEventListener("change", showTarget);
$("#export-dialog").addEventListener("close", () => {
  if ($("#export-dialog").returnValue !== "export") return;
  const form = $("#export-form").elements, target = $("#target").value;
  store("target", target);
  if (target === "pdf-all") { download({}); return; }
  const values = Object.fromEntries(["product", "surname", "skip"].filter((name) => form[name]?.value).map((name) => [name, form[name].value]));
  download({ target, part: form.parts.value, bleed: form.bleed?.checked ?? true, dpi: Number(form.dpi?.value) || null, ...values });
});

// ---- the state

let running = null, again = false, caption = 0;
/** Asks for the state and shows it; while that goes on, once more at its end. */
function update() {
  again = true;
  running ??= askAgain().finally(() => { running = null; });
  return running;
}
async function askAgain() {
  try {
    while (again) {
      again = false;
      const wanted = part, next = await ask(`/g/${project}/state?${query({ first: seen().join(",") })}`);
      if (wanted === part) show(next);
    }
  } catch (error) {
    if (error instanceof Refused) status(error.problems[0].message, true);
    else if (!(error instanceof TypeError)) throw error;
  }
}
function show(next) {
  const said = state.problems.length;
  state = { ...next, loaded: true };
  part = state.part;
  if (problem > state.problems.length) problem = 0;
  if (!state.pieces.some((piece) => piece.name === chosen)) chosen = state.pieces[0]?.name ?? "";
  if (view === "pages") showPages(); else showPieces(state.pieces);
  ifChanged(showParts, part, state.parts, state.files);
  ifChanged(showChosen, state.pieces.find((piece) => piece.name === chosen), state.pieces.length, state.columns, side, state.problems);
  ifChanged(showProblems, state.problems, state.notes, problem);
  remember();
  $(".bar-title").textContent = state.title;
  if (state.problems.length !== said) say(state.problems.length ? words(state.problems.length, "problem") : "No problems");
  if (!loading && !waiting.size && state.pieces.every((piece) => piece.drawn)) savedAt = 0; // nothing to be seen has changed
  showProgress();
}
/** After a while, how many cards are drawn. */
function showProgress() {
  const left = state.pieces.filter((piece) => !piece.drawn).length;
  if (left && caption === -1) status(`Drawing ${state.pieces.length - left} of ${state.pieces.length}`);
  else if (left) caption ||= setTimeout(() => { caption = -1; showProgress(); }, 400);
  else {
    if (caption === -1) status("");
    clearTimeout(caption);
    caption = 0;
  }
}

setView(view);
setZoom(zoom);
showLook();
listen({ changed: (data) => { savedAt = data.at; $("#job").replaceChildren(); update(); }, drawn: update, opened: update, reconnected: update });
update();
