"""Recipes: dicts from an ingredient to a number of grams, written for four people."""

SERVES = 4


def scaled(recipe, people):
    """Return the recipe for another number of people, in whole grams."""
    return {name: round(grams * people / SERVES) for name, grams in recipe.items()}


def shopping_list(recipes):
    """Return what all these recipes need together, in the order of the alphabet."""
    needed = {}
    for recipe in recipes:
        for name, grams in recipe.items():
            needed[name] = needed.get(name, 0) + grams
    return dict(sorted(needed.items()))


def missing(recipe, pantry):
    """Return how many grams have to be bought of what the pantry has too little of."""
    return {name: grams - pantry.get(name, 0) for name, grams in recipe.items() if pantry.get(name, 0) < grams}


def suits(recipe, avoided):
    """Whether none of the avoided ingredients is in the recipe."""
    return not any(name in recipe for name in avoided)


def heaviest(recipe):
    """Return the ingredient with the most grams."""
    return max(recipe, key=recipe.get)
