#!/usr/bin/env python3
"""agree.py SECONDS [SEED]   the same verdicts everywhere: random and mutated inputs through every language.

Takes the inputs of the shared cases, mutates them, sends each to every language's runner, and compares the whole answers
as canonical JSON. Each difference is printed with the input; any makes it fail. The seed is printed, so that a run can be
made again. A language is one line of the environment variable ACKGUARD_AGREE, `name=command`.
"""

import collections
import copy
import json
import math
import os
import pathlib
import random
import shlex
import subprocess
import sys
import threading
import time

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "vectors"
# What the languages are not given alike: files, and texts of exceptions.
SPARED_FILES = {"schema", "rel_paths_fs"}
NASTY = [
    "", " ", "\n", "\0", "\u200b", "\u202e", "\ufeff", "％", "%25", "%00", "é", "密码", "：", "😀", "token", "code", "state", "=",
    "&", "?", "#", "@", ":", "//", "\\", '"', "'", "{", "}", "[", "]", "Bearer ", "https://a.example/b?code=abcdef12", "10.0.0.1:80",
    "4014", "4900", "-0", "1e3", "null", "true", "..", "/", ".skillenv", "~1", "mcp:", "-", "__", "A", "ſ", "K", "０", "a" * 65,
]
# Inputs that are any JSON.
WHOLE = {"hint", "details", "result", "args", "json"}
# Inputs on their way at once, and the longest of them in characters: what is long is for the fuzz targets.
BATCH = 32
LONGEST = 60_000
NUMBERS = [0, -1, 1, 4006, 4007, 4008, 4014, 4017, 4019, 4101, 4900, 404, 400, 401, 403, 429, 500, 599, 600, -32000, -32601,
           2**31, 2**32 + 4014, 2**53, 2**63 - 1, 2**63, 4014.5, 4014.0, 1e300, True, False, None]


def mutated_text(text: str, rng: random.Random) -> str:
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at = rng.randint(0, len(text))
        match rng.randrange(6):
            case 0:
                text = text[:at] + rng.choice(NASTY) + text[at:]
            case 1:
                text = text[:at] + text[at + rng.randint(1, 3):]
            case 2:
                end = rng.randint(at, len(text))
                text = text[:at] + text[at:end] * 2 + text[end:]
            case 3:
                text = text.swapcase()
            case 4:
                text = text[:at] + chr(rng.choice([rng.randrange(1, 128), rng.randrange(0x80, 0x3000)])) + text[at + 1:]
            case _:
                end = rng.randint(at, min(len(text), at + 12))
                text = text[:at] + "".join(f"%{byte:02X}" for byte in text[at:end].encode()) + text[end:]
    return text


def mutated(value: object, rng: random.Random, pool: list[object]) -> object:
    if rng.random() < 0.05:
        return copy.deepcopy(rng.choice(pool))
    if isinstance(value, dict) and value:
        value = dict(value)
        key = rng.choice(list(value))
        match rng.randrange(5):
            case 0:
                del value[key]
            case 1:
                value[mutated_text(key, rng)] = value.pop(key)
            case 2:
                value[rng.choice(["code", "message", "details", "meta", "x", "token", "error_code"])] = copy.deepcopy(rng.choice(pool))
            case _:
                value[key] = mutated(value[key], rng, pool)
        return value
    if isinstance(value, list) and value:
        value = list(value)
        at = rng.randrange(len(value))
        match rng.randrange(4):
            case 0:
                del value[at]
            case 1:
                value.insert(at, copy.deepcopy(rng.choice(pool)))
            case _:
                value[at] = mutated(value[at], rng, pool)
        return value
    if isinstance(value, str) and rng.random() < 0.8:
        return mutated_text(value, rng)
    return rng.choice([*NUMBERS, "", [], {}, rng.choice(NASTY)])


def inputs() -> tuple[list[tuple[str, dict]], list[object]]:
    cases, pool = [], []
    for path in sorted(FOLDER.glob("*.json")):
        if path.stem in SPARED_FILES:
            continue
        text = path.read_text(encoding="utf-8")
        for name, parts in json.loads(text).get("tokens", {}).items():
            text = text.replace("{{%s}}" % name, json.dumps("".join(parts))[1:-1])
        for case in json.loads(text)["cases"]:
            cases.append((path.stem, case["input"]))
            pool += [it for it in case["input"].values() if not isinstance(it, str) or len(it) < 200]
    return cases, pool


def made_text(rng: random.Random) -> str:
    """Text that comes from no case: words of the trade and anything else, side by side."""
    return "".join(
        rng.choice([*NASTY, "mcp", "skill", "auth", "server", "error", "401", "a2c_version", "SKILL.md", "bearer"])
        if rng.random() < 0.7
        else chr(rng.choice([rng.randrange(1, 128), rng.randrange(0xA0, 0xD7FF), rng.randrange(0xE000, 0x1FFFF)]))
        for _ in range(rng.choice([1, 3, 8, 20, 60]))
    )


def made(rng: random.Random, keys: list[str], depth: int = 4) -> object:
    """JSON that comes from no case: any shape, with the members that mean something among the others."""
    roll = rng.random()
    if depth == 0 or roll < 0.25:
        return made_text(rng)
    if roll < 0.45:
        return rng.choice(NUMBERS)
    if roll < 0.55:
        return rng.choice([None, True, False, [], {}])
    if roll < 0.65:
        return [made(rng, keys, depth - 1) for _ in range(rng.randrange(4))]
    names = [made_text(rng) if rng.random() < 0.15 else rng.choice(keys) for _ in range(rng.randrange(1, 7))]
    return {name: made(rng, keys, depth - 1) for name in names}


def member_names(value: object, found: set[str]) -> set[str]:
    if isinstance(value, dict):
        found.update(value)
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        member_names(inner, found)
    return found


def ordered(value: object) -> object:
    """Members in the order that every language keeps: by name, and no name that JavaScript puts first.

    The order shows in one place: names that are alike once their secrets are gone are numbered as they come.
    """
    if isinstance(value, dict):
        return {f"n{key}" if key.isdecimal() else key: ordered(value[key]) for key in sorted(value)}
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)  # JavaScript cannot tell; a text (`json`) can hold one nevertheless
    return [ordered(inner) for inner in value] if isinstance(value, list) else value


def draw(cases: list[tuple[str, dict]], pool: list[object], keys: list[str], rng: random.Random) -> tuple[str, dict]:
    file, given = rng.choice(cases)
    given = copy.deepcopy(given)
    # The operation stays, and so does every input's type where a language's own types would refuse another.
    names = [name for name in given if name not in ("op", "dialect", "steps", "locale")]
    if names and rng.random() < 0.95:
        name = rng.choice(names)
        value = given[name]
        made_anew = rng.random() < 0.2
        if made_anew and name == "json":
            given[name] = json.dumps(made(rng, keys), ensure_ascii=False)
        elif made_anew and isinstance(value, str):
            given[name] = made_text(rng)
        elif made_anew and isinstance(value, dict) and name in WHOLE:
            given[name] = made(rng, keys)
        elif name == "json" and rng.random() < 0.6:
            try:
                value = json.dumps(mutated(json.loads(value), rng, pool), ensure_ascii=False)
            except (ValueError, RecursionError):
                value = mutated_text(value, rng)
            given[name] = value
        elif isinstance(value, str):
            given[name] = mutated_text(value, rng)
        elif isinstance(value, (dict, list)) and name in WHOLE:
            given[name] = mutated(value, rng, pool)
    return file, given


def canonical(value: object) -> object:
    """One form of each number: a double where it is no safe integer, an integer where it is integral.

    A number that no double holds is null: JSON has no word for what Python, JavaScript, Kotlin and Swift make of it, and
    Rust's values have no place for it. Only members that are handed on as they came can be one; no verdict is a number.
    Findings are sorted, since members have no order, and what repeats other fields in a language's own words
    (`text`, `reported`) is left out.
    """
    if isinstance(value, dict):
        repeated = ("text", "reported") if "idempotent" in value else ()
        return {key: canonical(inner) for key, inner in value.items() if key not in repeated}
    if isinstance(value, list):
        if value and all(isinstance(it, dict) and it.keys() == {"path", "category", "action"} for it in value):
            value = sorted(value, key=lambda it: (it["path"], it["category"], it["action"]))
        return [canonical(inner) for inner in value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, int) and abs(value) > 2**53:
        try:
            value = float(value)
        except OverflowError:
            return None
    return None if isinstance(value, float) and not math.isfinite(value) else value


def comparable(answer: dict) -> dict:
    """An answer without what a language says in its own way: a field that is absent, None, null or undefined.

    Only the answer's own fields are meant, never what came in with the input: there `null` is not nothing.
    """
    fields = answer.get("answer")
    if not isinstance(fields, dict):
        return canonical(answer)
    if "decision" in fields and "code" in fields:
        fields = {key: value for key, value in fields.items() if key != "decision"}  # the code in words, in some languages
    if fields.get("version_mismatch") is False and fields.get("message") == "Bad Request":
        # The server said nothing: some languages answer with nothing, some with an error payload, which has the title.
        fields = {**fields, "message": None}
    fields = {
        key: {k: v for k, v in value.items() if v is not None} if key in ("0.2", "0.3") and isinstance(value, dict) else value
        for key, value in fields.items()
        if value is not None
    }
    return canonical({"answer": fields})


def write_all(peer: subprocess.Popen[str], lines: list[tuple[str, str]]) -> None:
    try:
        for _, line in lines:
            peer.stdin.write(line + "\n")
        peer.stdin.flush()
    except BrokenPipeError:
        pass  # it has ended: the reader says so


def main() -> int:
    seconds = float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**32)
    commands = dict(line.split("=", 1) for line in os.environ["ACKGUARD_AGREE"].splitlines() if line.strip())
    print(f"agree: {', '.join(commands)}, for {seconds:g} s, seed {seed}", flush=True)
    peers = {
        name: subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
        )
        for name, command in commands.items()
    }
    cases, pool = inputs()
    keys = sorted(member_names([given for _, given in cases], set()) | {"code", "message", "details", "meta"})
    rng = random.Random(seed)
    asked = differences = 0
    refused = dict.fromkeys(peers, 0)
    ran = collections.Counter()
    start = told = time.monotonic()
    while time.monotonic() - start < seconds and differences < 20:
        lines: list[tuple[str, str]] = []
        while len(lines) < BATCH:
            file, given = draw(cases, pool, keys, rng)
            try:
                line = json.dumps({"file": file, "input": ordered(given)}, ensure_ascii=False, allow_nan=False)
                line.encode()
            except (ValueError, UnicodeEncodeError):
                continue
            if len(line) <= LONGEST:
                lines.append((f"{file} {given.get('op', '')}".strip(), line))
        # A thread for each language writes while all are read: an answer may be long, a pipe is 64 KB.
        writers = [threading.Thread(target=write_all, args=(peer, lines)) for peer in peers.values()]
        for writer in writers:
            writer.start()
        for operation, line in lines:
            answers = {}
            for name, peer in peers.items():
                answer = peer.stdout.readline()
                if not answer:
                    print(f"{name} has ended on one of the {BATCH} from\n{line}")
                    return 1
                answers[name] = comparable(json.loads(answer))
            asked += 1
            ran[operation] += 1
            not_taken = [name for name, answer in answers.items() if "not_run" in answer]
            for name in not_taken:
                refused[name] += 1
            if not_taken:
                # A caller's mistake (a type that the signature does not take): each language has its own words for it.
                continue
            shown = {name: json.dumps(answer, sort_keys=True, ensure_ascii=False) for name, answer in answers.items()}
            if len(set(shown.values())) > 1:
                differences += 1
                print(f"\n{line}")
                for name, answer in shown.items():
                    print(f"  {name:<8} {answer}", flush=True)
        for writer in writers:
            writer.join()
        if time.monotonic() - told > 60:
            told = time.monotonic()
            print(f"agree: {asked} inputs after {told - start:.0f} s", flush=True)
    for peer in peers.values():
        peer.stdin.close()
        peer.wait(timeout=10)
    not_taken = ", ".join(f"{name} {count}" for name, count in refused.items() if count)
    print(f"agree: {len(ran)} operations, the rarest {min(ran.values(), default=0)} times; not taken: {not_taken or 'none'}")
    print(f"agree: {asked} inputs, {differences} differences")
    return 1 if differences or asked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
