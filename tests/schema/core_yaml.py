# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML as editors read it: by the core schema of YAML 1.2, where "on" is text and "2:5" no number."""

import re

import yaml


class Loader(yaml.SafeLoader):
    """Knows null, truths, whole numbers and others; all else is text."""

    yaml_implicit_resolvers = {}


def resolve(tag, pattern, first):
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), list(first))


def number(loader, node):
    text = node.value
    return float(text.replace(".inf", "inf").replace(".nan", "nan"))


resolve("null", r"^(?:|~|null|Null|NULL)$", ["", "~", "n", "N"])
resolve("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF")
resolve("int", r"^[-+]?[0-9]+$", "+-0123456789")
resolve("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", "+-.0123456789")
Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
Loader.add_constructor("tag:yaml.org,2002:float", number)


def load(text):
    return yaml.load(text, Loader)
