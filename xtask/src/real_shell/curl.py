"""Plays recorded answers in place of curl. Knows the options that labels use.

FIXTURES names a file with the answers, REQUESTS one to which every request is added.
"""

import json
import os
import re
import sys
from urllib.parse import urljoin

FLAGS = {
    "--fail": "f", "--location": "L", "--head": "I", "--include": "i", "--silent": "s",
    "--show-error": "S", "--insecure": "k", "--compressed": "#", "--verbose": "v",
}
VALUED = {
    "--data": "d", "--data-raw": "d", "--url": "u", "--write-out": "w", "--output": "o",
    "--header": "H", "--user-agent": "A", "--max-time": "m", "--connect-timeout": "m",
    "--request": "X", "--retry": "m",
}
REASONS = {200: "OK", 301: "Moved Permanently", 302: "Found", 403: "Forbidden", 404: "Not Found"}


def parse(arguments):
    """The flags, the last value of every option with one, and the addresses."""
    flags, values, addresses = set(), {}, []
    rest = iter(arguments)
    for argument in rest:
        if argument in FLAGS:
            flags.add(FLAGS[argument])
        elif argument in VALUED:
            values[VALUED[argument]] = next(rest, "")
        elif argument.startswith("--"):
            sys.exit(f"the stand-in does not know {argument}")
        elif argument.startswith("-") and len(argument) > 1:
            for at, letter in enumerate(argument[1:], 2):
                if letter in "AdDeHmorwX":
                    values[letter] = argument[at:] or next(rest, "")
                    break
                flags.add(letter)
        else:
            addresses.append(argument)
    if "u" in values:
        addresses.append(values["u"])
    return flags, values, addresses


def expand(address):
    """The addresses that {a,b} and [1-3] stand for; nothing if the pattern is not valid."""
    listed = re.search(r"\{([^{}]+)\}|\[(\d+)-(\d+)\]", address)
    if not listed:
        return [] if re.search(r"[][{}]", address) else [address]
    if listed[1]:
        members = listed[1].split(",")
    else:
        members = [str(number) for number in range(int(listed[2]), int(listed[3]) + 1)]
    before, after = address[: listed.start()], address[listed.end() :]
    return [full for member in members for full in expand(before + member + after)]


def complete(address):
    """The address with a scheme, a host in lower case and a path."""
    if not re.match(r"https?://", address):
        address = "http://" + address
    scheme, host, path = re.match(r"(https?://)([^/?#]*)(.*)", address).groups()
    return scheme + host.lower() + (path if path.startswith("/") else "/" + path)


def transfer(address, flags, values, answers):
    """What is printed for one address, and the exit status."""
    method = values.get("X") or ("HEAD" if "I" in flags else "POST" if "d" in values else "GET")
    address = complete(address)
    headers = ""
    for _ in range(50):
        key = f"{method} {address.split('#')[0]}"
        with open(os.environ["REQUESTS"], "a", encoding="utf-8") as log:
            log.write(key + "\n")
        answer = answers.get(key, {"status": 404, "headers": [], "body": ""})
        status = answer["status"]
        secure = address.startswith("https:")
        headers += f"HTTP/2 {status} \r\n" if secure else f"HTTP/1.1 {status} {REASONS[status]}\r\n"
        headers += "".join(f"{name}: {value}\r\n" for name, value in answer["headers"]) + "\r\n"
        target = dict(answer["headers"]).get("location") if 300 <= status < 400 else None
        if target is not None:
            target = complete(urljoin(address, target))
        if target is None or "L" not in flags:
            break
        address = target
    refused = "f" in flags and status >= 400
    text = headers if values.get("D") in ("-", "/dev/stdout") else ""
    if values.get("o", "-") in ("-", "/dev/stdout"):
        text += headers if flags & {"I", "i"} else ""
        text += "" if refused or method == "HEAD" else answer["body"]
    told = {"url_effective": address, "http_code": f"{status:03}", "redirect_url": target or ""}
    told = {f"%{{{name}}}": value for name, value in told.items()} | {"\\n": "\n"}
    write_out = values.get("w", "")
    text += re.sub(r"%\{\w+\}|\\n", lambda found: told[found[0]], write_out)
    return text, 22 if refused else 0


def main():
    flags, values, addresses = parse(sys.argv[1:])
    with open(os.environ["FIXTURES"], encoding="utf-8") as file:
        answers = {f"{one['method']} {one['url']}": one for one in json.load(file)}
    if not addresses:
        sys.exit(2)
    exit_status = 0
    for pattern in addresses:
        expanded = [] if re.search(r"[\0- \x7f]", pattern) else expand(pattern)
        exit_status = 0 if expanded else 3
        for address in expanded:
            text, exit_status = transfer(address, flags, values, answers)
            sys.stdout.buffer.write(text.encode())
    sys.exit(exit_status)


main()
