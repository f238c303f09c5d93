"""From annotated abstracts to the model that `kg.extraction` loads; nothing outside imports this package."""
