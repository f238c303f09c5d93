"""From annotated abstracts to the model that `kg.extract` loads; nothing outside imports this package."""
