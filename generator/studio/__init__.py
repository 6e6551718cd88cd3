"""Pencilbox Studio: everything that the commands do, as pages in a browser on the same machine.

```
a file is saved ─▶ Project.refresh ─▶ Snapshot ─▶ Channel ─▶ page ─▶ picture of a SideView
```

`server.py` opens the port, `app.py` puts the pages together, and `security.py` keeps other pages and machines out. A
`Project` is one open game, and its `Snapshot` what was last read and drawn. Each page is a module with its `ROUTES`,
a template in `pages/`, and a style sheet and an ES module in `static/`. No rules are decided here: the pages call what
`cli/` calls, one call at a time, in the thread of `worker.py`.
"""
