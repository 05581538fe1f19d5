"""Is every call, result and text of Claude Code's files in a session?

Files may hold the same messages, so nothing is counted per file: what a file
says is looked for, by its ids, in all sessions of a database together, as the
program itself shows them.
"""

import json
import subprocess
from collections import Counter, defaultdict

KINDS = ("calls", "results", "texts")


def clean(text):
    """Write a text as it can be stored: half characters become U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").strip()


def first_line(text):
    return text.partition("\n")[0].strip()


def said(values):
    """Yield the kind, the id, the text and the place of all that is said in a file."""
    for v in values:
        message = v.get("message") if isinstance(v, dict) else None
        if not isinstance(message, dict) or v.get("type") not in ("user", "assistant"):
            continue
        where = message.get("id") or v.get("uuid") or "?"
        content = message.get("content")
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        for block in content if isinstance(content, list) else ():
            if not isinstance(block, dict):
                continue
            if block.get("type") == "tool_use" and block.get("id"):
                yield "calls", block["id"], "", where
            elif block.get("type") == "tool_result" and block.get("tool_use_id"):
                yield "results", block["tool_use_id"], "", where
            elif block.get("type") == "text" and isinstance(block.get("text"), str) and clean(block["text"]):
                yield "texts", where, clean(block["text"]), where


class Wanted:
    """All that files say, until it is found."""

    def __init__(self):
        self.all = Counter()
        self.ids = {"calls": {}, "results": {}}  # by id, where it was met
        self.texts = defaultdict(dict)  # by first line, then by text

    def add(self, path, values):
        for kind, name, text, where in said(values):
            if kind == "texts":
                known, key = self.texts[first_line(text)], text
            else:
                known, key = self.ids[kind], name
            if key not in known:
                known[key] = f"{path}: {where}"
                self.all[kind] += 1

    def found(self, message):
        """Take off what a message of a session holds."""
        for call in message.get("tool_calls") or ():
            self.ids["calls"].pop(call.get("id"), None)
        self.ids["results"].pop(message.get("tool_call_id"), None)
        content = message.get("content") or ""
        for line in {line.strip() for line in content.split("\n")}:
            texts = self.texts.get(line)
            for text in [t for t in texts or () if t in content]:
                del texts[text]

    def missing(self):
        """Yield the kind and the place of all that was not found."""
        for kind, known in self.ids.items():
            for name, where in known.items():
                yield kind, f"{where}: {kind[:-1]} {name}"
        for known in self.texts.values():
            for text, where in known.items():
                yield "texts", f"{where}: text {text[:60]!r}"


def sessions(program, db):
    """Yield the messages of all sessions, as the program shows them."""
    listed = subprocess.run([program, "--db", db, "sessions", "--json"], capture_output=True, check=True)
    for line in listed.stdout.splitlines():
        shown = subprocess.run([program, "--db", db, "show", json.loads(line)["id"], "--json"], capture_output=True, check=True)
        yield json.loads(shown.stdout)["messages"]


def compare(wanted, program, db):
    """Print what no session holds, and return how much that is."""
    for messages in sessions(program, db):
        for message in messages:
            wanted.found(message)
    lost = Counter()
    for kind, what in wanted.missing():
        lost[kind] += 1
        print(f"{what} is in no session")
    print(", ".join(f"{wanted.all[k]} {k}, {lost[k]} missing" for k in KINDS))
    return sum(lost.values())
