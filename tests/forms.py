"""Forms filled in as a viewer saves them: what was printed, and after it the fields that have changed."""

from functools import lru_cache
from io import BytesIO

from pypdf import PdfReader
from pypdf.generic import DictionaryObject, NameObject, TextStringObject


@lru_cache(8)
def fields_of(form):
    """The fields of a form by their names, each with its number and those of its boxes; and where its table of objects
    begins, how many objects it has, and the number of the first."""
    reader = PdfReader(BytesIO(form))
    found = {}

    def enter(references, before=""):
        for reference in references:
            field = reference.get_object()
            name = f"{before}.{field['/T']}".lstrip(".")
            kids = field.get("/Kids", [])
            if kids and "/T" in kids[0].get_object():
                enter(kids, name)
            else:
                boxes = {each.idnum: each.get_object() for each in kids or [reference]}
                found[name] = (reference.idnum, field, boxes)

    enter(reader.trailer["/Root"]["/AcroForm"]["/Fields"])
    root = reader.trailer.raw_get("/Root").idnum
    return found, reader._startxref, reader.trailer["/Size"], root


def kind(form, name):
    """“/Btn” for what is ticked or ringed, and “/Tx” for what is written."""
    return fields_of(form)[0][name][1].get("/FT")


def filled(form, marks):
    """The form with these marks, by the names of its fields. What is ticked has a name, such as “/Yes”. A mark of a
    field that the form does not have is left out."""
    fields, table, size, root = fields_of(form)
    changed = {}
    for name in marks.keys() & fields.keys():
        number, field, boxes = fields[name]
        ticked = marks[name].startswith("/")
        value = NameObject(marks[name]) if ticked else TextStringObject(marks[name])
        changed[number] = DictionaryObject({**field, NameObject("/V"): value})
        for each, box in boxes.items() if ticked else ():
            on = value if value in box["/AP"]["/N"] else NameObject("/Off")
            changed[each] = DictionaryObject({**changed.get(each, box), NameObject("/AS"): on})
    stream, places = BytesIO(form), {}
    stream.seek(0, 2)
    for number, content in sorted(changed.items()):
        places[number] = stream.tell()
        stream.write(b"\n%d 0 obj\n" % number)
        content.write_to_stream(stream)
        stream.write(b"\nendobj\n")
        places[number] += 1
    start = stream.tell()
    stream.write(b"xref\n" + b"".join(b"%d 1\n%010d 00000 n \n" % place for place in places.items()))
    stream.write(b"trailer\n<< /Size %d /Root %d 0 R /Prev %d >>\n" % (size, root, table))
    stream.write(b"startxref\n%d\n%%%%EOF\n" % start)
    return stream.getvalue()
