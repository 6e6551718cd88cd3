// node fill.mjs FORM.pdf MARKS.json FILLED.pdf: fills in a form with pdf-lib; a tick is marked with "x".
import { readFileSync, writeFileSync } from "node:fs";
import { PDFCheckBox, PDFDocument } from "pdf-lib";

const [source, marks, target] = process.argv.slice(2);
const pdf = await PDFDocument.load(readFileSync(source));
const form = pdf.getForm();
for (const [name, mark] of Object.entries(JSON.parse(readFileSync(marks, "utf8")))) {
  const field = form.getField(name);
  if (field instanceof PDFCheckBox) field.check();
  else field.setText(mark);
}
writeFileSync(target, await pdf.save());
