import { $, ask, listen, make, project, say, status } from "./studio.js";

let part = "";

async function show(saved) {
  const state = await ask(`/g/${project}/state?part=${encodeURIComponent(part)}`);
  part = state.part;
  $("#parts").replaceChildren(...state.parts.map((each) => make("li", {},
    make("button", { type: "button", "aria-current": each.name === part ? "true" : null, onclick: () => { part = each.name; show(); } },
      make("span", {}, make("b", {}, each.title))))));
  const width = Math.round(160 * devicePixelRatio);
  const items = await Promise.all(state.pieces.map(async (piece) => {
    const picture = make("img", { alt: "", width: 160 });
    if (piece.front) { picture.src = `/g/${project}/picture/${piece.front.key}/${width}.png`; await picture.decode().catch(() => {}); }
    return make("li", {}, picture, make("span", {}, piece.title));
  }));
  $("#pieces").replaceChildren(...items);
  if (saved) status(`Shown ${Math.max(0, Math.round(Date.now() - saved * 1000))} ms after saving`);
  say(`${state.problems.length} problems`);
}

listen({ changed: (data) => show(data.at), reconnected: () => show() });
show();
