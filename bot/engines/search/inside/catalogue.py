"""All operators with their price: minus the logarithm of how often such an edit was the right one, roughly."""

from __future__ import annotations

from typing import Callable, Iterator, NamedTuple, Tuple

from .broken import BrokenSource
from .operators import (
    arguments,
    arithmetic,
    boolean,
    callees,
    calls,
    comparison,
    constants,
    depth,
    errors,
    exceptions,
    flow,
    guards,
    headers,
    imports,
    names,
    patterns,
    returns,
    sequences,
    statements,
    strings,
    updates,
    wrapping,
)
from .operators.syntax.kinds import KINDS, syntax_changes
from .site import Change, Site


class Operator(NamedTuple):
    """A kind of edit. `price` is in nats: one more is e times less likely. `cap`: most ideas at one site."""

    name: str
    price: float
    changes: Callable[[Site], Iterator[Change]]
    cap: int = 60


OPERATORS: Tuple[Operator, ...] = (
    Operator("name-not-defined", 0.0, errors.unknown_name),
    Operator("attribute-not-there", 0.0, errors.unknown_attribute),
    Operator("import-missing", 0.1, imports.missing_import),
    Operator("import-wrong", 0.1, imports.wrong_import),
    Operator("keyword-unexpected", 0.1, errors.wrong_keyword),
    Operator("types-mixed", 0.5, errors.mixed_text),
    Operator("variable-unbound", 0.4, errors.unbound),
    Operator("nothing-returned", 0.4, errors.unreturned),
    Operator("comparison-boundary", 0.8, comparison.boundary),
    Operator("comparison-inverse", 1.3, comparison.inverse),
    Operator("comparison-direction", 1.3, comparison.direction),
    Operator("comparison-identity", 1.5, comparison.identity),
    Operator("comparison-relation", 2.2, comparison.relation),
    Operator("comparison-operands", 2.2, comparison.operands),
    Operator("arithmetic-operator", 0.9, arithmetic.swapped),
    Operator("augmented-operator", 1.1, arithmetic.augmented),
    Operator("assignment-accumulates", 2.0, arithmetic.accumulated),
    Operator("arithmetic-operands", 1.6, arithmetic.operands),
    Operator("arithmetic-dropped", 2.2, arithmetic.dropped),
    Operator("arithmetic-grouping", 1.8, arithmetic.regrouped),
    Operator("one-too-many", 1.0, arithmetic.undone),
    Operator("sign", 2.0, arithmetic.sign),
    Operator("and-or", 1.0, boolean.connective),
    Operator("negation", 1.5, boolean.negated),
    Operator("condition-dropped", 1.9, boolean.dropped),
    Operator("condition-extended", 2.6, boolean.extended),
    Operator("condition-borrowed", 3.0, boolean.borrowed),
    Operator("branches-swapped", 1.5, boolean.branches),
    Operator("constant-off-by-one", 1.1, constants.stepped),
    Operator("constant-changed", 1.6, constants.changed),
    Operator("constant-flag", 1.1, constants.flag),
    Operator("constant-empty", 2.2, constants.emptied),
    Operator("round-digits", 1.0, constants.digits),
    Operator("expression-off-by-one", 1.7, constants.shifted),
    Operator("variable-replaced", 1.8, names.variable),
    Operator("target-replaced", 2.4, names.target),
    Operator("attribute-replaced", 1.8, names.attribute),
    Operator("attribute-of-other-replaced", 2.4, names.foreign_attribute),
    Operator("self-missing", 1.5, names.selfless),
    Operator("expression-to-variable", 2.8, names.expression),
    Operator("names-exchanged", 1.8, names.exchanged),
    Operator("attribute-added", 2.2, names.attribute_added),
    Operator("attribute-dropped", 2.6, names.attribute_dropped),
    Operator("elements-swapped", 1.8, names.swapped_pair),
    Operator("callee-kin", 1.4, callees.kin),
    Operator("callee-of-project", 2.2, callees.local_kin),
    Operator("arguments-swapped", 1.6, arguments.swapped),
    Operator("aggregate", 2.2, callees.aggregates),
    Operator("argument-dropped", 2.1, arguments.dropped),
    Operator("argument-added", 2.6, arguments.added),
    Operator("argument-passed-on", 1.5, arguments.passed_on),
    Operator("keyword-added", 2.0, arguments.keyword_added),
    Operator("call-unwrapped", 1.7, calls.unwrapped),
    Operator("call-wrapped", 2.4, wrapping.wrapped),
    Operator("call-wrapped-by-project", 2.4, wrapping.wrapped_by_project),
    Operator("value-clamped", 2.9, wrapping.clamped),
    Operator("method-added", 2.4, wrapping.method_added),
    Operator("call-parentheses", 2.0, calls.called),
    Operator("await-missing", 0.8, calls.awaited),
    Operator("return-missing", 0.9, returns.missing),
    Operator("return-value", 2.3, returns.value),
    Operator("return-combined", 2.9, returns.combined),
    Operator("yield", 1.8, returns.generator),
    Operator("slice-changed", 1.7, sequences.sliced),
    Operator("slice-added", 2.9, sequences.cut),
    Operator("index-changed", 1.9, sequences.index),
    Operator("range-bounds", 1.4, sequences.bounds),
    Operator("order-reversed", 1.2, sequences.reordered),
    Operator("copy-missing", 1.8, sequences.aliased),
    Operator("comprehension-filter", 2.2, sequences.filtered),
    Operator("lookup-default", 1.9, sequences.lookup),
    Operator("f-prefix-missing", 0.8, strings.prefixed),
    Operator("f-field", 2.0, strings.fields, 120),
    Operator("string-replaced", 2.2, strings.replaced),
    Operator("string-recast", 2.5, strings.recast),
    Operator("pattern", 2.0, patterns.pattern),
    Operator("format-digits", 1.8, strings.formatted),
    Operator("exception-kind", 1.8, exceptions.kind),
    Operator("exception-widened", 2.3, exceptions.widened),
    Operator("raise-missing", 1.8, exceptions.raised),
    Operator("check-missing", 3.2, exceptions.checked),
    Operator("statement-dropped", 2.5, statements.dropped),
    Operator("condition-needless", 2.7, depth.unconditional),
    Operator("statement-too-deep", 1.5, depth.less_deep),
    Operator("statement-too-shallow", 2.2, depth.deeper),
    Operator("statements-swapped", 2.4, statements.moved),
    Operator("statement-copied", 3.0, statements.copied),
    Operator("guard-missing", 2.8, guards.guarded, 700),
    Operator("default-missing", 2.8, guards.defaulted),
    Operator("update-missing", 3.2, updates.updated, 120),
    Operator("attribute-update-missing", 2.9, updates.attribute_updated, 120),
    Operator("call-missing", 3.2, updates.call_missing, 120),
    Operator("flow", 1.9, flow.flow),
    Operator("default-value", 1.8, headers.defaults),
    Operator("decorator", 2.2, headers.decorated),
    Operator("parameters", 1.8, headers.parameters),
    Operator("base-constructor", 1.6, headers.initialised),
)

SYNTAX: Tuple[Operator, ...] = tuple(Operator(name, price, syntax_changes(kind)) for name, price, kind in KINDS)
"""For files that do not compile."""


def operators_for(site: Site) -> Tuple[Operator, ...]:
    return SYNTAX if isinstance(site.source, BrokenSource) else OPERATORS
