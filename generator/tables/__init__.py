"""CSV, XLSX and ODS → rows and columns, and what headings and cells mean."""
