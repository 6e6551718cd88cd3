// Draw: random sets. What was drawn lately is kept in this browser.
import { $, $$, Refused, ask, icon, key, make, project, say, status } from "./studio.js";

const KEPT = `drawn:${project}`;
const MOST_KEPT = 30;
let code = "";
let parts = []; // of the shown set
let source = null; // the games that are being played
let played = 0;
const base = `/g/${project}/draw`;
const kept = () => JSON.parse(localStorage.getItem(KEPT) ?? "[]");

// ---- the order

const kind = () => $("[data-kind][aria-checked=true]")?.dataset.kind ?? $(".options")?.dataset.of;
const options = () => $(`.options[data-of="${kind()}"]`);

/** Radio buttons in a row: the arrow keys choose, one of them is in the order of Tab. */
function radios(group, chosen = () => {}) {
  const all = $$("[role=radio]", group);
  const choose = (button, focus) => {
    all.forEach((each) => { each.setAttribute("aria-checked", each === button); each.tabIndex = each === button ? 0 : -1; });
    if (focus) button.focus();
    chosen(button);
  };
  all.forEach((button, number) => {
    button.tabIndex = button.getAttribute("aria-checked") === "true" ? 0 : -1;
    button.addEventListener("click", () => choose(button));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      choose(all[(number + step + all.length) % all.length], true);
    });
  });
}

$$("#order [role=radiogroup]").forEach((group) => radios(group, (button) => {
  if (button.dataset.kind) $$(".options").forEach((each) => { each.hidden = each.dataset.of !== button.dataset.kind; });
}));

function order() {
  const chosen = {};
  $$("[data-option]", options()).forEach((each) => {
    const value = each.matches("input") ? (each.checked ? "yes" : "") : $("[aria-checked=true]", each)?.dataset.value;
    if (value) chosen[each.dataset.option] = value;
  });
  return {
    kind: kind(), options: chosen, seed: $("#seed").value, count: Number($("#count").value) || 1,
    no_common_cards: $("[data-run]", options())?.checked ?? false,
  };
}

function refuse(place, error) {
  if (!(error instanceof Refused)) throw error;
  place.textContent = error.problems.map((each) => each.message + (each.hint ? `; ${each.hint}` : "")).join("\n");
  place.hidden = false;
}

async function drawSets() {
  const wanted = order();
  $("#order-problems").hidden = true;
  try {
    const { codes } = await ask(`${base}/sets`, wanted);
    const about = [wanted.options.players && `${wanted.options.players} players`, wanted.options.profile, wanted.options.rounds && `${wanted.options.rounds} rounds`, wanted.options.language, $$("[data-kind]").length && wanted.kind].filter(Boolean).join(", ");
    const listed = [...codes.map((each) => ({ code: each, about })), ...kept().filter((each) => !codes.includes(each.code))];
    localStorage.setItem(KEPT, JSON.stringify(listed.slice(0, Math.max(MOST_KEPT, codes.length))));
    await show(codes[0]);
    if (matchMedia("(max-width: 799px)").matches) $("#set").scrollIntoView();
    $("#another span").textContent = "Another one";
  } catch (error) { refuse($("#order-problems"), error); }
}

$("#order")?.addEventListener("submit", (event) => { event.preventDefault(); drawSets(); });
key("a", drawSets);

function list() {
  const drawn = kept();
  $("#none-drawn").hidden = drawn.length > 0;
  $("#drawn").replaceChildren(...drawn.map((each) => make("li", {}, make("button",
    { type: "button", "aria-current": each.code === code ? "true" : null, onclick: () => show(each.code) },
    make("b", {}, each.code), make("small", {}, each.about)))));
}

// ---- the set

const TILES = 172;

function picture(piece) {
  const { key: name, width, height } = piece.front;
  const page = width > 120;
  const bleed = page ? 0 : piece.front.bleed;
  const place = make("span", { className: page ? "picture page" : "picture" });
  place.style.aspectRatio = `${width - 2 * bleed} / ${height - 2 * bleed}`;
  const image = make("img", { alt: "", loading: "lazy", decoding: "async" });
  const share = width / (width - 2 * bleed);
  image.style.width = `${100 * share}%`;
  image.style.left = `${-100 * bleed / (width - 2 * bleed)}%`;
  image.style.top = `${-100 * bleed / (height - 2 * bleed)}%`;
  image.src = `/g/${project}/picture/${name}/${Math.round((page ? 340 : TILES * share) * devicePixelRatio)}.png`;
  place.append(image);
  return place;
}

async function show(wanted) {
  const set = await ask(`${base}/set/${encodeURIComponent(wanted)}`);
  const changed = code !== set.code;
  code = set.code;
  parts = set.parts;
  $("#empty").hidden = true;
  $("#set").hidden = false;
  $("#code").textContent = code;
  $("#about").textContent = set.options.join("; ");
  $("#lines").textContent = set.lines.join("\n");
  const text = $(".as-text"); // the order of a deal is only in its text
  text.open = set.is_deal;
  $("#parts")[set.is_deal ? "before" : "after"](text);
  $("#parts").replaceChildren(...set.parts.map((part) => {
    const list = make("ul", {}, part.pieces.map((piece) => make("li", {}, make("figure", {},
      piece.front ? picture(piece) : make("span", { className: "picture" }),
      make("figcaption", {}, piece.title, piece.copies > 1 ? ` ×${piece.copies}` : "")))));
    if (part.pieces[0]?.front?.width > 120) list.style.setProperty("--wide", "320px");
    return make("section", { className: "part" }, set.parts.length > 1 && make("h2", {}, part.title), list);
  }));
  list();
  history.replaceState(null, "", `?code=${encodeURIComponent(code)}`);
  if (changed) { stop(); $("#balance").replaceChildren(); $("#played").textContent = INTRODUCTION; }
  say(`Set ${code}`);
}

$("#open-code")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  $("#code-problems").hidden = true;
  try { await show($("#typed-code").value.trim() || "?"); } catch (error) { refuse($("#code-problems"), error); }
});

async function copy() {
  if (!code) return;
  try { await navigator.clipboard.writeText(code); } catch {
    getSelection().selectAllChildren($("#code"));
    document.execCommand("copy");
  }
  status("Code copied");
  say("Code copied");
  setTimeout(() => status(""), 2000);
}
$("#copy")?.addEventListener("click", copy);
key("c", copy);

$("#qr")?.addEventListener("click", () => {
  $("#qr-title").textContent = code;
  $("#qr-dialog img").src = `${base}/set/${code}/qr.svg`;
  $("#qr-dialog").showModal();
});

function openPrint() {
  if (!code) return;
  const size = $("[data-paper][aria-checked=true]").dataset.paper;
  $("#print-parts").replaceChildren(...parts.map((part) => make("li", {}, make("a",
    { className: "button", href: `${base}/set/${code}/${part.name}.pdf?paper=${size}`, target: "_blank" }, icon("print"), part.title))));
  if (!$("#print-dialog").open) $("#print-dialog").showModal();
}

// ---- balance

const INTRODUCTION = $("#played")?.textContent ?? "";

function stop(words) {
  source?.close();
  source = null;
  $("#meter").hidden = true;
  $("#play").replaceChildren("Play games");
  if (words) $("#played").textContent = words;
}

function play() {
  if (source) { stop(`Stopped after ${played.toLocaleString("en")} games.`); return; }
  const players = $("[data-option=players] [aria-checked=true]", options())?.dataset.value ?? "";
  source = new EventSource(`${base}/balance?${new URLSearchParams({ code, players: code ? "" : players })}`);
  $("#play").replaceChildren(icon("stop"), "Stop");
  $("#meter").hidden = false;
  $("#meter i").style.width = "0";
  $("#played").textContent = "Starting…";
  const start = performance.now();
  source.addEventListener("state", (event) => {
    const state = JSON.parse(event.data);
    played = state.played;
    const left = Math.round(((performance.now() - start) / 1000) * (state.total / state.played - 1));
    $("#meter i").style.width = `${(100 * state.played) / state.total}%`;
    $("#meter").setAttribute("aria-valuemax", state.total);
    $("#meter").setAttribute("aria-valuenow", state.played);
    $("#played").textContent = `${state.played.toLocaleString("en")} of ${state.total.toLocaleString("en")} games played` + (left > 0 ? `, ${left} second${left === 1 ? "" : "s"} left` : "");
    $("#balance").innerHTML = state.html; // escaped by the server
    $$(".dot", $("#balance")).forEach((dot) => { dot.style.left = `${dot.dataset.at}%`; });
  });
  source.addEventListener("done", () => stop(`${played.toLocaleString("en")} games played.`));
  source.addEventListener("problems", (event) => stop(JSON.parse(event.data).map((each) => each.message + (each.hint ? `; ${each.hint}` : "")).join("\n")));
  source.addEventListener("error", () => { if (source) stop("The games were ended."); });
}
$("#play")?.addEventListener("click", play);

if ($("#order")) {
  list();
  const asked = $(".three").dataset.code;
  if (asked) show(asked).catch((error) => refuse($("#code-problems"), error));
  $("#print").addEventListener("click", openPrint);
  key("ctrl p", openPrint);
  radios($("#print-dialog [role=radiogroup]"), openPrint);
}
