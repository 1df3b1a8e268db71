"""Notebooks of people who watch birds."""

from perch.notebook import Notebook, open_notebook
from perch.sighting import Sighting
from perch.taxonomy import Taxon, Taxonomy

__all__ = ["Notebook", "Sighting", "Taxon", "Taxonomy", "open_notebook"]
