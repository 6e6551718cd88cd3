// League: rename and merge players, delete a game.
import { $, $$, Refused, ask } from "./studio.js";

$("#period")?.addEventListener("change", (event) => event.target.form.submit());
$$("[data-close]").forEach((button) => button.addEventListener("click", () => button.closest("dialog").close()));

const words = (error) => {
  if (!(error instanceof Refused)) throw error;
  return error.problems.map((each) => each.message + (each.hint ? `; ${each.hint}` : "")).join("\n");
};

const form = $("#players-form");
if (form) {
  const merging = () => form.elements.deed.value === "merge";
  let tried = "";
  const names = () => ({ player: $("#player").value, to: $("#to").value.trim() });
  const reset = () => {
    tried = "";
    $("#players-said").textContent = "";
    $("#players-do").textContent = merging() ? "See what changes" : "Rename";
  };
  $("#players").addEventListener("click", () => { reset(); $("#players-dialog").showModal(); });
  form.addEventListener("input", reset);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wanted = JSON.stringify(names());
    try {
      if (merging() && tried !== wanted) {
        $("#players-said").textContent = (await ask("/league/merge?try", names())).said;
        $("#players-do").textContent = "Merge";
        tried = wanted;
        return;
      }
      await ask(merging() ? "/league/merge" : "/league/rename", names());
      location.reload();
    } catch (error) { $("#players-said").textContent = words(error); }
  });
}

$("#forget")?.addEventListener("click", () => $("#forget-dialog").showModal());
$("#forget-do")?.addEventListener("click", async () => {
  try {
    await ask(`/league/play/${$("#forget").dataset.number}/forget`, {});
    location.href = "/league";
  } catch (error) { $("#forget-said").textContent = words(error); }
});
