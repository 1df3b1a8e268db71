"""Decorators for everyday work, and the small functions they are made of."""

import functools
import inspect


def once(function):
    """The function runs with the first call; later calls return the same result."""
    results = []

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if not results:
            results.append(function(*args, **kwargs))
        return results[0]

    return wrapper


def retry(times, errors=(Exception,), on_failure=None):
    """Call again after one of the errors, `times` times in all; `on_failure(number, error)` hears of each."""

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for number in range(1, times + 1):
                try:
                    return function(*args, **kwargs)
                except errors as error:
                    if on_failure is not None:
                        on_failure(number, error)
                    if number == times:
                        raise

        return wrapper

    return decorate


def checked(**kinds):
    """Arguments must be of the kinds given by name; TypeError names the first that is not."""

    def decorate(function):
        signature = inspect.signature(function)

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            for name, kind in kinds.items():
                if not isinstance(bound.arguments[name], kind):
                    raise TypeError(f"{name} must be {kind.__name__}")
            return function(*args, **kwargs)

        return wrapper

    return decorate


def counted(function):
    """`calls` of the result says how often it was called."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return function(*args, **kwargs)

    wrapper.calls = 0
    return wrapper


def compose(*functions):
    """compose(f, g)(x) is f(g(x)); without functions, x itself."""

    def composed(value):
        for function in reversed(functions):
            value = function(value)
        return value

    return composed


def multipliers(factors):
    """One function for each factor."""
    return [lambda value, factor=factor: value * factor for factor in factors]


def counter(start=0, step=1):
    """A function that counts on with each call, from `start`."""
    value = start - step

    def count():
        nonlocal value
        value += step
        return value

    return count
