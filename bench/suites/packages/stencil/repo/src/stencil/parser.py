"""Makes nodes of the pieces of a template."""

from stencil import nodes
from stencil.errors import TemplateError, TemplateSyntaxError
from stencil.expressions import Reader, parse
from stencil.lexer import TAG, TEXT, Lexer


class Parser:
    """Parses one source: `body` is what it prints, `blocks` its blocks by name, `parent` what it extends."""

    def __init__(self, source, trim_blocks=False):
        self._pieces = list(Lexer(source, trim_blocks))
        self._position = 0
        self._open = []
        self.blocks = {}
        self.parent = None
        self.body = self._body(())

    def _body(self, until):
        """Nodes up to a tag named in `until`, which stays to be read."""
        found = []
        while self._position < len(self._pieces):
            piece = self._pieces[self._position]
            word = piece.text.split(None, 1)[0] if piece.kind == TAG and piece.text else ""
            if word in until:
                return nodes.Body(found)
            self._position += 1
            try:
                node = self._node(piece, word)
            except TemplateError as error:
                raise error.at(line=piece.line) from error.__cause__
            if node is not None:
                node.line = piece.line
                found.append(node)
        if until:
            line, opened = self._open[-1]
            raise TemplateSyntaxError(f"{opened!r} is never closed", line)
        return nodes.Body(found)

    def _node(self, piece, word):
        if piece.kind == TEXT:
            return nodes.Text(piece.text)
        if piece.kind != TAG:
            return nodes.Print(parse(piece.text))
        tag = getattr(self, f"_tag_{word}", None)
        if tag is None:
            raise TemplateSyntaxError(f"unknown tag {word!r}")
        return tag(Reader(piece.text[len(word) :]), piece.line)

    def _inside(self, word, line, *until):
        """The body of a tag, up to one of `until`. Returns the word that ended it, and what followed it."""
        self._open.append((line, word))
        body = self._body(until)
        self._open.pop()
        ended, _, rest = self._pieces[self._position].text.partition(" ")
        self._position += 1
        return body, ended, Reader(rest)

    def _tag_if(self, reader, line):
        condition = reader.expression()
        reader.end()
        branches = []
        while True:
            body, ended, rest = self._inside("if", line, "elif", "else", "endif")
            branches.append((condition, body))
            if ended == "endif":
                return nodes.If(branches)
            if branches[-1][0] is None:
                raise TemplateSyntaxError(f"{ended!r} after 'else'")
            condition = rest.expression() if ended == "elif" else None
            rest.end()

    def _tag_for(self, reader, line):
        names = [reader.name()]
        while reader.accept(","):
            names.append(reader.name())
        reader.expect("in")
        iterable = reader.disjunction()
        condition = reader.expression() if reader.accept("if") else None
        reader.end()
        body, ended, _ = self._inside("for", line, "else", "endfor")
        otherwise = self._inside("for", line, "endfor")[0] if ended == "else" else None
        return nodes.For(names, iterable, body, otherwise, condition)

    def _tag_set(self, reader, line):
        name = reader.name()
        if reader.accept("="):
            value = reader.expression()
            reader.end()
            return nodes.Set(name, expression=value)
        reader.end()
        return nodes.Set(name, body=self._inside("set", line, "endset")[0])

    def _tag_with(self, reader, line):
        bindings = []
        while not reader.at_end():
            if bindings:
                reader.expect(",")
            name = reader.name()
            reader.expect("=")
            bindings.append((name, reader.expression()))
        return nodes.With(bindings, self._inside("with", line, "endwith")[0])

    def _tag_block(self, reader, line):
        name = reader.name()
        reader.end()
        if name in self.blocks:
            raise TemplateSyntaxError(f"block {name!r} is defined twice")
        self.blocks[name] = None
        body, _, rest = self._inside("block", line, "endblock")
        if not rest.at_end() and (closed := rest.name()) != name:
            raise TemplateSyntaxError(f"block {name!r} is closed as {closed!r}")
        self.blocks[name] = body
        return nodes.Block(name, body)

    def _tag_extends(self, reader, line):
        if self.parent is not None:
            raise TemplateSyntaxError("a template extends one other at most")
        self.parent = reader.expression()
        reader.end()

    def _tag_include(self, reader, line):
        template = reader.expression()
        missing_ok = isolated = False
        while not reader.at_end():
            word = reader.name()
            if word == "optional":
                missing_ok = True
            elif word == "isolated":
                isolated = True
            else:
                raise TemplateSyntaxError(f"unknown word {word!r} after an include")
        return nodes.Include(template, missing_ok, isolated)

    def _tag_macro(self, reader, line):
        name = reader.name()
        reader.expect("(")
        parameters = []
        while not reader.accept(")"):
            if parameters:
                reader.expect(",")
            parameter = reader.name()
            parameters.append((parameter, reader.expression() if reader.accept("=") else None))
        reader.end()
        return nodes.Macro(name, parameters, self._inside("macro", line, "endmacro")[0])

    def _tag_raw(self, reader, line):
        raise TemplateSyntaxError("'raw' is not supported: print the text as a string")
