# SPDX-License-Identifier: Apache-2.0
"""Writes marbled/api.py from what `rpc.discover` answers: generate.py < description > marbled/api.py

One TypedDict for each titled object, one method for each method. A schema that this does not know is
an error: an API that is only half typed would look whole.
"""

import json
import keyword
import sys

HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Written by Tests/Scripts/python-client.sh from what the daemon says of itself; not edited by hand.
"""Every method of the daemon, and the shapes of what it answers."""

from typing import Any, Literal, NotRequired, TypedDict, cast

Duration = int | str
"""Nanoseconds, or a text such as "300ms"."""

'''

CALLS = '''
class Calls:
    """Every method of the daemon, by name. Each raises `RPCError` when the daemon answers an error, and
    waits at most `within` seconds, or as long as the connection says."""

    def call(self, method: str, params: dict[str, Any], within: float | None = None) -> Any:
        """Calls a method and gives its result."""
        raise NotImplementedError
'''


class Generator:
    def __init__(self):
        self.classes = {}

    def type_of(self, schema):
        """The Python type of a schema; titled objects are noted on the way, the inner ones first."""
        unknown = set(schema) - {
            "type", "title", "description", "enum", "anyOf", "items", "properties", "required",
            "additionalProperties", "minimum", "pattern",
        }
        if unknown:
            raise SystemExit(f"generate: no rule for {sorted(unknown)} in {json.dumps(schema)}")
        if "enum" in schema:
            return f"Literal[{', '.join(json.dumps(word) for word in schema['enum'])}]"
        if "anyOf" in schema:
            return " | ".join(self.type_of(choice) for choice in schema["anyOf"])
        kind = schema.get("type")
        if isinstance(kind, list):
            # A number of nanoseconds or a text with a unit.
            return "Duration" if kind == ["integer", "string"] else " | ".join(
                self.type_of({"type": one}) for one in kind)
        if kind == "array":
            return f"list[{self.type_of(schema.get('items', {}))}]"
        if kind == "object":
            return self.object_type(schema)
        names = {
            None: "Any", "string": "str", "integer": "int", "number": "float", "boolean": "bool",
            "null": "None",
        }
        return names[kind]

    def object_type(self, schema):
        if "title" not in schema:
            return f"dict[str, {self.type_of(schema.get('additionalProperties', {}))}]"
        title = schema["title"]
        required = schema.get("required", [])
        members = {}
        for name, member in schema["properties"].items():
            inner = self.type_of(member)
            members[name] = inner if name in required else f"NotRequired[{inner}]"
        known = self.classes.setdefault(title, members)
        if known != members:
            raise SystemExit(f"generate: two shapes are called {title}")
        return title

    def class_text(self, title, members):
        if any(keyword.iskeyword(name) for name in members):
            inside = "".join(f"        {name!r}: {kind},\n" for name, kind in members.items())
            return f"\n{title} = TypedDict(\n    {title!r},\n    {{\n{inside}    }},\n)\n\n"
        inside = "".join(f"    {name}: {kind}\n" for name, kind in members.items()) or "    pass\n"
        return f"\nclass {title}(TypedDict):\n{inside}\n"

    def method_text(self, method):
        required, optional, given = [], [], []
        for param in method["params"]:
            name, kind = param["name"], self.type_of(param["schema"])
            if param.get("required"):
                required.append(f"        {name}: {kind},\n")
                given.append(f'            "{name}": {name},\n')
            else:
                none = "" if kind == "Any" else " | None"
                optional.append(f"        {name}: {kind}{none} = None,\n")
                given.append(f'            **_given("{name}", {name}),\n')
        optional.append("        within: float | None = None,\n")
        params = "{\n" + "".join(given) + "        }" if given else "{}"
        doc = " ".join(method["summary"].split())
        result = self.type_of(method["result"]["schema"])
        return (
            f"\n    def {method['name'].replace('.', '_')}(\n        self,\n{''.join(required)}"
            f"        *,\n{''.join(optional)}    ) -> {result}:\n"
            f"        {json.dumps(doc)}\n"
            f"        params: dict[str, Any] = {params}\n"
            f"        return cast({result}, self.call(\"{method['name']}\", params, within))\n"
        )

    def run(self, document):
        methods = [self.method_text(method) for method in document["methods"]]
        for notification in document["x-notifications"]:
            self.type_of(notification["params"])
        kinds = list(document["components"]["errors"])
        text = HEAD
        text += "ErrorKind = Literal[\n" + "".join(f'    "{kind}",\n' for kind in kinds) + "]\n\n"
        text += "".join(self.class_text(*entry) for entry in self.classes.items())
        text += CALLS + "".join(methods)
        text += (
            "\n\ndef _given(name: str, value: Any) -> dict[str, Any]:\n"
            "    return {} if value is None else {name: value}\n"
        )
        return text


if __name__ == "__main__":
    sys.stdout.write(Generator().run(json.load(sys.stdin)))
