"""A report of finished runs: figures first, then every question. As one HTML file, or as Markdown, CSV or JSON."""
