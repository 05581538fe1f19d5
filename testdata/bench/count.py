#!/usr/bin/env python3
"""An independent count of messages, tool calls and tool results.

    count.py PATH...                    print what is in the files
    count.py --db FILE PATH...          compare with a database of winnow
    count.py --json FILE PATH...        compare with "winnow sessions --json"
    count.py --winnow PROGRAM PATH...   import each file alone and compare
    count.py --every PROGRAM --db FILE PATH...
        look for every call, result and text of Claude Code's files, by message
        id, in the sessions of a database, whatever holds what

Standard library only, and nothing of the program's: the rules are in
count_rules.py. Exit status 1 if anything differs.
"""

import argparse
import codecs
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import zlib
from collections import defaultdict

sys.dont_write_bytecode = True  # no folder of it among the sources
import count_every as every  # noqa: E402
import count_rules as rules  # noqa: E402

ROLES = ("system", "user", "assistant", "tool")  # as the database numbers them
NUMBERS = ("messages", *ROLES, "calls")


def unpacked(data):
    """Return the bytes behind gzip, whatever the file is called; a member that is cut off gives what it holds."""
    out = []
    while data[:2] == b"\x1f\x8b":
        member = zlib.decompressobj(wbits=31)
        try:
            out.append(member.decompress(data))
        except zlib.error:
            break
        data = member.unused_data.lstrip(b"\0")
    return b"".join(out) if out else data


def text_of(data):
    """Decode UTF-8, or UTF-16 by its mark; bytes that are neither become U+FFFD."""
    data = unpacked(data)
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return data[2:].decode(name, "replace")
    return data.decode("utf-8-sig", "replace")


# Types of Claude Code's lines that may carry a message, also without a uuid.
CLAUDE = ("user", "assistant", "system", "summary", "attachment")


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


# Numbers stay text: they may be larger than any type.
decoder = json.JSONDecoder(strict=False, parse_int=rules.Number, parse_float=rules.Number, parse_constant=no_constant)


def values(text):
    """Yield all JSON values: one or more on a line, over many lines, elements of an array, whatever stands between them."""
    i, depth = 0, 0
    while True:
        while i < len(text) and (text[i].isspace() or text[i] in "\0\ufeff,"):
            i += 1
        if i == len(text):
            return
        if text[i] == "]" and depth:
            depth, i = 0, i + 1
            continue
        try:
            value, i = decoder.raw_decode(text, i)
        except (ValueError, RecursionError):
            if text[i] == "[" and depth == 0:
                depth, i = 1, i + 1  # an array with something broken in it: its elements
                continue
            end = text.find("\n", i)
            if end < 0:
                return
            i = end + 1
            continue
        if isinstance(value, dict) and isinstance(value.get("loglines"), list):
            value = value["loglines"]  # lines of Claude Code in one document
        if isinstance(value, list):
            yield from value
        else:
            yield value


def count_file(path):
    with open(path, "rb") as f:
        text = text_of(f.read())
    t = rules.Tally()
    readers = {}

    def reader(name, make):
        t.formats[name] += 1
        if name not in readers:
            readers[name] = make(t)
        return readers[name]

    for v in values(text):
        if not isinstance(v, dict):
            t.other += 1
            continue
        kind = v.get("type")
        if isinstance(v.get("conversations"), list):
            t.formats["sharegpt"] += 1
            rules.sharegpt(t, v)
        elif str(v.get("schema_version", "")).startswith("ATIF") and isinstance(v.get("steps"), list):
            t.formats["atif"] += 1
            rules.atif(t, v)
        elif "sessionId" in v and isinstance(v.get("messages"), list) or "$set" in v or with_dicts(v.get("history"), "parts"):
            reader("gemini", rules.Gemini).add(v)
        elif kind is None and "sessionId" in v and "projectHash" in v:
            reader("gemini", rules.Gemini)  # the head of the lines
        elif "gemini" in readers and "role" not in v:
            readers["gemini"].add(v)
        elif kind is None and any(isinstance(v.get(k), list) for k in ("messages", "traj", "conversation")):
            t.formats["messages"] += 1
            rules.conversation(t, v)
        elif with_dicts(v.get("history"), "content") or with_dicts(v.get("trajectory"), "action"):
            t.formats["swe-agent"] += 1
            rules.swe_agent(t, v)
        elif isinstance(kind, str) and (isinstance(v.get("payload"), dict) or kind in ("function_call", "function_result")):
            reader("codex", rules.Codex).add(v)
        elif kind == "session" and "id" in v or t.formats["pi"] and isinstance(kind, str):
            t.formats["pi"] += 1
            rules.pi(t, v)
        elif isinstance(kind, str) and "role" not in v and ("uuid" in v or kind in CLAUDE):
            reader("claude-code", rules.ClaudeCode).add(v)
        elif "role" in v:
            reader("lines", rules.Lines).add(v)
        else:
            t.other += 1
    for r in readers.values():
        if hasattr(r, "done"):
            r.done()
    return t


def with_dicts(value, key):
    return isinstance(value, list) and any(isinstance(e, dict) and key in e for e in value)


def numbers(t):
    return {"messages": t.messages, "calls": t.calls, **{r: t.roles[r] for r in ROLES}}


def from_database(path):
    """Return the numbers of a winnow database by file, and why files gave nothing."""
    db = sqlite3.connect(f"file:{os.path.abspath(path)}?mode=ro", uri=True)
    have, reasons = {}, {}
    for name, reason in db.execute("SELECT path, reason FROM sources"):
        have[name], reasons[name] = dict.fromkeys(NUMBERS, 0), reason
    heads = "SELECT flags & 3, count(*), sum(calls) FROM messages WHERE id > :body << 32 AND id <= (:body << 32) + :n GROUP BY 1"

    def count(body, n):
        rows = db.execute(heads, {"body": body, "n": n}).fetchall()
        return {ROLES[role]: n for role, n, _ in rows}, sum(calls for _, _, calls in rows)

    kept = "SELECT s.path, r.body, r.messages, r.tool_calls FROM trajectory_records r JOIN sources s ON s.id = r.source_id WHERE NOT r.gathered"
    for name, body, messages, calls in db.execute(kept):
        add(have[name], {"messages": messages, "calls": calls, **count(body, messages)[0]})
    # Of others it is told message by message where they are. Parts of one answer
    # that came from several files are one message, with the calls of all.
    pieces = (
        "SELECT s.path, (r.body << 32) + p.at - 1, p.messages FROM pieces p"
        " JOIN sources s ON s.id = p.source_id JOIN trajectory_records r ON r.id = p.session_id"
    )
    between = "SELECT flags & 3, count(*) FROM messages WHERE id > :before AND id <= :before + :n GROUP BY 1"
    grown = set()
    for name, before, n in db.execute(pieces):
        roles = {ROLES[role]: k for role, k in db.execute(between, {"before": before, "n": n})}
        add(have[name], {"messages": n, **roles})
        grown.add(name)
    # A copy is kept as the beginning of another session, which has to hold as
    # many. The message that a shorter one ends with may have got more calls.
    copied = (
        "SELECT s.path, r.body, c.messages, r.messages FROM copies c"
        " JOIN sources s ON s.id = c.source_id JOIN trajectory_records r ON r.id = c.session_id"
        " WHERE (c.source_id, c.key) NOT IN (SELECT source_id, key FROM raws)"
    )
    for name, body, messages, whole in db.execute(copied):
        roles, calls = count(body, messages)
        add(have[name], {"messages": messages, "calls": calls, **roles})
        if messages < whole:
            grown.add(name)
    for name in grown:
        del have[name]["calls"]
    db.close()
    return have, reasons


def from_json(path):
    """Return the numbers of the lines of winnow sessions --json by file."""
    have = defaultdict(dict)
    with sys.stdin if path == "-" else open(path, encoding="utf-8") as f:
        for line in f:
            s = json.loads(line)
            name = s["session_file"]
            while not os.path.exists(name) and "#" in name:
                name = name[: name.rindex("#")]
            add(have[name], {"messages": s["messages"], "calls": s["tool_calls"]})
    return have, {}


def add(into, what):
    for key, n in what.items():
        into[key] = into.get(key, 0) + n


def alone(program, path):
    """Import one file into a database of its own, so that no copy of it is met."""
    with tempfile.TemporaryDirectory() as folder:
        db = os.path.join(folder, "one.db")
        env = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder}
        run = subprocess.run([program, "--db", db, "import", path], env=env, capture_output=True, text=True)
        if not os.path.exists(db):
            return {path: {}}, {path: run.stderr.strip()[-200:]}
        return from_database(db)


def files_below(paths):
    for path in paths:
        if os.path.isdir(path):
            for root, folders, names in os.walk(path):
                folders.sort()
                yield from (os.path.join(root, n) for n in sorted(names))
        else:
            yield path


def differences(t, have):
    """Return what differs, of what the specification decides and the other side tells."""
    counted = numbers(t)
    return [f"{n} {counted[n]} here, {have[n]} there" for n in NUMBERS if n in have and n not in t.open and counted[n] != have[n]]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("paths", nargs="+", metavar="PATH")
    source = options.add_mutually_exclusive_group()
    source.add_argument("--db", metavar="FILE")
    source.add_argument("--json", metavar="FILE", help="- for standard input; copies are not in it")
    source.add_argument("--winnow", metavar="PROGRAM")
    options.add_argument("--every", metavar="PROGRAM", help="with --db: everything is in some session")
    options.add_argument("--verbose", action="store_true", help="print every file")
    o = options.parse_args()
    if o.every:
        if not o.db:
            options.error("--every needs --db")
        wanted = every.Wanted()
        for path in files_below(o.paths):
            with open(path, "rb") as f:
                wanted.add(path, values(text_of(f.read())))
        return 1 if every.compare(wanted, o.every, o.db) else 0
    have, reasons = from_database(o.db) if o.db else from_json(o.json) if o.json else ({}, {})
    compare = o.db or o.json or o.winnow
    total, files, different, unread = rules.Tally(), 0, 0, 0
    for path in files_below(o.paths):
        path = os.path.realpath(path)
        t = count_file(path)
        files += 1
        total.roles += t.roles
        total.calls += t.calls
        found = []
        if compare:
            if o.winnow:
                have, reasons = alone(o.winnow, path)
            theirs = have.get(path) or dict.fromkeys(("messages", "calls"), 0)
            if not theirs["messages"] and "winnow does not read" in reasons.get(path, ""):
                unread += 1  # named as a format that it does not know
                continue
            found = differences(t, theirs)
            if found and reasons.get(path):
                found.append(reasons[path])
            different += bool(found)
        if found or o.verbose or not compare:
            what = ", ".join(f"{k} {n}" for k, n in numbers(t).items() if n) or "nothing"
            print(f"{path}: {'+'.join(t.formats) or 'no format'}: {'; '.join(found) or what}")
    result = f": {different} files differ, {unread} are named as not read" if compare else ""
    print(f"{files} files, {total.messages} messages, {total.calls} calls{result}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
