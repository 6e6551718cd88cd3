import { $, $$, key } from "./studio.js";
$$(".way").forEach((way) => key(way.dataset.key, () => way.click()));
$(".drop").addEventListener("dragover", (event) => event.preventDefault());
