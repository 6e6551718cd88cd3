// The first page: files that are dropped, and the dialogs of the other ways to start.
import { $, $$, ask, key, make, say, status } from "./studio.js";

const TABLE = /\.(csv|tsv|txt|xlsx|xlsm|ods|json|html?)$/i, MOST = 32e6;
const words = (problems) => problems.map((problem) => [problem.place, problem.message].filter(Boolean).join(": ") + (problem.hint ? `; ${problem.hint}.` : "."));

function refuse(problems) {
  const list = $("#refusals"), texts = words(problems);
  list.replaceChildren(...texts.map((text) => make("li", {}, text[0].toUpperCase() + text.slice(1))));
  list.hidden = !texts.length;
}

// ---- a table, and the fonts and pictures that belong to it

async function keep(files) {
  refuse([]);
  const tables = files.filter((file) => TABLE.test(file.name)), others = files.filter((file) => !TABLE.test(file.name));
  const first = tables[0] ?? files[0];
  if (!first) return;
  if (tables.length > 1) { refuse([{ message: "choose one table at a time", hint: "fonts and pictures can come with it" }]); return; }
  if (first.size > MOST) { refuse([{ message: `“${first.name}” is larger than 32 MB`, hint: "a table of cards is far smaller" }]); return; }
  status(`Reading ${first.name}…`);
  $("#drop").classList.add("busy");
  try {
    const made = await ask(`/upload?name=${encodeURIComponent(first.name)}`, first);
    if (tables.length) for (const file of others) await ask(`/g/${made.project}/file?name=${encodeURIComponent(file.name)}`, file);
    location.assign(made.address);
  } catch (error) {
    refuse(error.problems ?? [{ message: "the file could not be sent", hint: "choose it again" }]);
  }
  status("");
  $("#drop").classList.remove("busy");
}

$("#file").addEventListener("change", (event) => { keep([...event.target.files]); event.target.value = ""; });
$("#empty-table").addEventListener("click", () => ask("/upload", {}).then((made) => location.assign(made.address), (error) => refuse(error.problems)));
addEventListener("dragover", (event) => { event.preventDefault(); $("#drop").classList.add("over"); });
addEventListener("dragleave", (event) => { if (!event.relatedTarget) $("#drop").classList.remove("over"); });
addEventListener("drop", (event) => {
  event.preventDefault();
  $("#drop").classList.remove("over");
  keep([...event.dataTransfer.files]);
});

// ---- the other ways

/** Goes where an address says, or shows in the dialog why not. */
async function go(dialog, address, body) {
  const told = $(".refused", dialog);
  told.hidden = true;
  try { location.assign((await ask(address, body)).address); } catch (error) {
    told.textContent = words(error.problems).map((text) => text[0].toUpperCase() + text.slice(1)).join(" ");
    told.hidden = false;
  }
}

const open = {
  score: () => {},
  code: () => $("#set-code").select(),
  folder: async () => {
    const { entries } = await ask("/choices");
    $("#entries").replaceChildren(...entries.map((entry) => make("li", {}, make("button", { type: "button", onclick: () => go($("#folder"), "/open", { path: entry.path }) }, make("b", {}, entry.path), make("small", {}, entry.about)))));
    if (!entries.length) $("#entries").replaceChildren(make("li", {}, "There is no game and no table in this folder."));
  },
  examples: async () => {
    const { examples } = await ask("/choices");
    $("#example-list").replaceChildren(...examples.map(({ name, title, about }) => make("li", {}, make("button", { type: "button", onclick: () => go($("#examples"), "/examples", { path: name }) },
      make("img", { src: `/pictures/${name}.png`, alt: "", loading: "lazy" }), make("span", {}, make("b", {}, title), make("small", {}, about))))));
    say(`${examples.length} examples`);
  },
};
$$("[data-way]").forEach((way) => {
  const name = way.dataset.way;
  way.addEventListener("click", () => { $(`#${name}`).showModal(); open[name](); });
  if (way.dataset.key) key(way.dataset.key, () => way.click());
});
const enter = (field, button) => { field.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); button.click(); } }); };
$("#find-set").addEventListener("click", () => go($("#code"), "/code", { path: $("#set-code").value }));
$("#open-path").addEventListener("click", () => go($("#folder"), "/open", { path: $("#path").value }));
enter($("#set-code"), $("#find-set"));
enter($("#path"), $("#open-path"));
