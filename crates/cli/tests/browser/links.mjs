// A walk over the whole site: every address on a page answers, and every anchor exists.

import assert from "node:assert/strict";
import { base, finish, inWindow } from "./browser.mjs";

/** Far more than the sample has; addresses that never end would have no last page. */
const LIMIT = 3000;

/** Applications of their own, which are tested elsewhere. */
const isOther = (path) => path.startsWith("/docs") || path.startsWith("/redoc");

/** Pages and the names that their anchors may have; null for what is no page. */
const anchors = new Map();
const dead = [];
const wanted = [];
const found = new Map([["/", "the start"]]);

await inWindow({}, async (page) => {
  for (const [path, from] of found) {
    assert.ok(found.size < LIMIT, `the walk does not end: ${path} on ${from}`);
    const response = await fetch(base + path, { redirect: "manual", headers: { accept: "text/html" } });
    const target = response.headers.get("location");
    if (target !== null && response.status >= 300 && response.status < 400) {
      note(new URL(target, base + path), path);
      continue;
    }
    if (response.status !== 200) dead.push(`${response.status} ${path} on ${from}`);
    const body = await response.text();
    const isPage = response.headers.get("content-type")?.startsWith("text/html") && !isOther(path);
    if (!isPage) {
      anchors.set(path, null);
      continue;
    }
    const seen = await page.evaluate(read, body);
    anchors.set(path, new Set(seen.ids));
    for (const address of seen.addresses) note(new URL(address, base + path), path);
  }
});

for (const { path, anchor, from } of wanted) {
  const ids = anchors.get(path);
  if (ids && !ids.has(anchor)) dead.push(`#${anchor} of ${path} on ${from}`);
}
assert.equal(dead.length, 0, dead.join("\n"));
const walked = [...anchors.values()].filter((ids) => ids !== null).length;
assert.ok(walked > 50, `only ${walked} pages`);
await finish();

/** Remembers an address of this server. */
function note(url, from) {
  if (url.origin !== base) return;
  const path = url.pathname + url.search;
  if (!found.has(path)) found.set(path, from);
  const anchor = decodeURIComponent(url.hash.slice(1));
  if (anchor) wanted.push({ path, anchor, from });
}

/** The addresses and anchors of a page, read without running or loading anything. */
function read(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const addresses = [];
  for (const name of ["href", "src", "action", "formaction", "poster"]) {
    for (const element of parsed.querySelectorAll(`[${name}]`)) {
      const isForm = name.endsWith("action") && element.getAttribute("method")?.toLowerCase() === "post";
      if (!isForm) addresses.push(element.getAttribute(name));
    }
  }
  return { addresses, ids: [...parsed.querySelectorAll("[id]")].map((element) => element.id) };
}
