#!/usr/bin/env python3
"""The yardstick for imports: what a straightforward script does.

json.loads per line, one row per message, the text compressed with zlib, all
in one transaction of sqlite3.

    import.py FOLDER DATABASE
"""

import json
import os
import sqlite3
import sys
import time
import zlib


def text_of(content):
    """Return the text of a content, whether a string or a list of blocks."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    parts = []
    for block in content:
        kind = block.get("type")
        if kind == "text":
            parts.append(block["text"])
        elif kind == "tool_result":
            parts.append(text_of(block.get("content")))
        elif kind == "image":
            parts.append("[image]")
    return "\n".join(parts)


def reasoning_of(message):
    content = message.get("content")
    if isinstance(content, list):
        return "\n\n".join(b["thinking"] for b in content if b.get("type") == "thinking")
    return message.get("reasoning_content") or ""


def calls_of(message):
    content = message.get("content")
    if isinstance(content, list):
        return [(b["id"], b["name"], json.dumps(b["input"])) for b in content if b.get("type") == "tool_use"]
    calls = message.get("tool_calls") or []
    return [(c["id"], c["function"]["name"], c["function"]["arguments"]) for c in calls]


def rows_of(path, session):
    """Yield the row of every message of a file."""
    offset = n = 0
    with open(path, "rb") as f:
        for number, line in enumerate(f, 1):
            message = json.loads(line)
            if "role" in message:
                n += 1
                content = text_of(message.get("content"))
                reasoning = reasoning_of(message)
                calls = calls_of(message)
                body = json.dumps([content, reasoning, calls], ensure_ascii=False).encode()
                yield (
                    session, n, message["role"], len(content), len(reasoning), len(calls),
                    message.get("name") or (calls[0][1] if calls else ""),
                    message.get("timestamp") or "", number, offset, zlib.compress(body),
                )
            offset += len(line)


def main():
    folder, database = sys.argv[1:3]
    started = time.perf_counter()
    db = sqlite3.connect(database)
    db.execute("CREATE TABLE sessions(id INTEGER PRIMARY KEY, file TEXT)")
    db.execute(
        "CREATE TABLE messages(session INTEGER, n INTEGER, role TEXT, content_len INTEGER, reasoning_len INTEGER,"
        " calls INTEGER, tool TEXT, timestamp TEXT, line INTEGER, offset INTEGER, body BLOB)"
    )
    size = messages = 0
    for root, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(root, name)
            size += os.path.getsize(path)
            session = db.execute("INSERT INTO sessions(file) VALUES (?)", (path,)).lastrowid
            cursor = db.executemany("INSERT INTO messages VALUES (?,?,?,?,?,?,?,?,?,?,?)", rows_of(path, session))
            messages += cursor.rowcount
    db.commit()
    print(json.dumps({"bytes": size, "messages": messages, "seconds": time.perf_counter() - started}))


if __name__ == "__main__":
    main()
