// node show.mjs FILE.pdf PICTURE.png DPI: draws the first page with pdf.js, as Firefox prints it.
import { readFileSync, writeFileSync } from "node:fs";
import { DOMMatrix, ImageData, Path2D, createCanvas } from "@napi-rs/canvas";

class OffscreenCanvas {
  constructor(width, height) {
    return createCanvas(width, height);
  }
}
Object.assign(globalThis, { DOMMatrix, ImageData, OffscreenCanvas, Path2D });
const { AnnotationMode, getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs");

const [source, target, dpi] = process.argv.slice(2);
const fonts = new URL("node_modules/pdfjs-dist/standard_fonts/", import.meta.url).pathname;
const pdf = await getDocument({
  data: new Uint8Array(readFileSync(source)),
  disableFontFace: true,
  isOffscreenCanvasSupported: true,
  standardFontDataUrl: fonts,
}).promise;
const page = await pdf.getPage(1);
const viewport = page.getViewport({ scale: Number(dpi) / 72 });
const canvas = createCanvas(viewport.width, viewport.height);
await page.render({ canvasContext: canvas.getContext("2d"), viewport, annotationMode: AnnotationMode.ENABLE }).promise;
writeFileSync(target, canvas.toBuffer("image/png"));
