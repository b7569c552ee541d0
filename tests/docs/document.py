# SPDX-License-Identifier: GPL-3.0-or-later
"""What is looked at in a document: its blocks of code, its code in the text, links and anchors."""

import dataclasses
import re

import markdown_it

MARKS = ("not run", "coarse", "exits", "file", "part of")


@dataclasses.dataclass
class Block:
    """A block of code, from its line of the document on, that of its fence; without a language where
    it is indented instead. Its marks are the comments in front of it: <!-- not run: why -->."""

    line: int
    language: str
    text: str
    marks: dict


@dataclasses.dataclass
class Span:
    """Code, or the target of a link or the file of a picture, in a paragraph that begins at that line."""

    line: int
    text: str


def marks_of(comment):
    """The mark in a comment, if it is one: a pair of its kind and what it says."""
    found = re.fullmatch(r"<!--\s*([a-z ]+):\s*(.*?)\s*-->", comment.strip(), re.S)
    return {found[1]: " ".join(found[2].split())} if found and found[1] in MARKS else {}


def slug(heading):
    """The anchor that GitHub and GitLab make of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Document:
    """A document, parsed."""

    def __init__(self, text):
        self.lines = text.splitlines()
        self.blocks, self.spans, self.links, self.anchors = [], [], [], set()
        marks = {}
        heading = False
        for token in markdown_it.MarkdownIt("commonmark").enable("table").parse(text):
            if token.type == "html_block":
                marks |= marks_of(token.content)
                continue
            if token.type in ("fence", "code_block"):
                language = (token.info.split() or ["text"])[0] if token.type == "fence" else ""
                self.blocks.append(Block(token.map[0] + 1, language, token.content, marks))
            elif token.type == "inline":
                self.take_text(token, heading)
            heading = token.type == "heading_open"
            marks = {}

    def take_text(self, token, heading):
        line = token.map[0] + 1 if token.map else 0
        if heading:
            self.add_anchor(slug("".join(part.content for part in token.children)))
        for part in token.children:
            if part.type == "code_inline":
                self.spans.append(Span(line, part.content))
            elif part.type == "link_open":
                self.links.append(Span(line, part.attrGet("href")))
            elif part.type == "image":
                self.links.append(Span(line, part.attrGet("src")))

    def add_anchor(self, anchor):
        """Headings of the same text are numbered."""
        others = 1
        name = anchor
        while name in self.anchors:
            name = f"{anchor}-{others}"
            others += 1
        self.anchors.add(name)
