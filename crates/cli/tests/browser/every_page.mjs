// Every page opens: status 200, nothing on the console, nothing from elsewhere, and no larger than
// promised.

import assert from "node:assert/strict";
import { base, checkMarkup, finish, inWindow } from "./browser.mjs";
import { PAGES } from "./pages.mjs";

/** The limits in bytes before compression: a page, and a page with its style and script. */
const PAGE_LIMIT = 30_000;
const WHOLE_LIMIT = 100_000;

await inWindow({}, async (page) => {
  for (const path of PAGES) {
    const response = await page.goto(path, { waitUntil: "load" });
    assert.equal(response.status(), 200, path);
    const headers = response.headers();
    assert.equal(headers["content-type"], "text/html; charset=utf-8", path);
    assert.equal(headers["x-content-type-options"], "nosniff", path);
    const policy = headers["content-security-policy"];
    assert.match(policy, /default-src 'none'/, path);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/, path);
    assert.match(headers.etag ?? "", /^W?\/?"/, `${path} has no entity tag`);
    const size = (await response.body()).length;
    assert.ok(size <= PAGE_LIMIT, `${path} has ${size} bytes`);
    const whole = size + (await page.evaluate(sizeOfParts));
    assert.ok(whole <= WHOLE_LIMIT, `${path} has ${whole} bytes with all its parts`);
    await checkMarkup(response, path);
    await checkStructure(page, path);
  }
});

// A page that is not there helps to find the one that was meant.
await inWindow({ expected: [/404/] }, async (page) => {
  const response = await page.goto("/a/fire");
  assert.equal(response.status(), 404);
  await page.locator("main a[href='/a/firefoxpkg']").first().waitFor();
  assert.equal((await page.goto("/no/such/page")).status(), 404);
});

// Another name of an app leads to the app.
await inWindow({}, async (page) => {
  await page.goto("/a/firefox");
  assert.equal(page.url(), `${base}/a/firefoxpkg`);
});

await finish();

/** The bytes of what the page loaded, before compression; badges are pictures of their own. */
function sizeOfParts() {
  return performance
    .getEntriesByType("resource")
    .filter(({ name }) => !new URL(name).pathname.startsWith("/badge/"))
    .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0);
}

/** What every page has: a language, one heading, landmarks, a title of its own. */
async function checkStructure(page, path) {
  const seen = await page.evaluate(() => ({
    language: document.documentElement.lang,
    headings: document.querySelectorAll("h1").length,
    mains: document.querySelectorAll("main").length,
    title: document.title,
    inline: document.querySelectorAll("[style], script:not([src]), style").length,
    ids: [...document.querySelectorAll("[id]")].map((element) => element.id),
  }));
  assert.equal(seen.language, "en", path);
  assert.equal(seen.headings, 1, `${path}: one h1`);
  assert.equal(seen.mains, 1, `${path}: one main`);
  assert.ok(seen.title.length > 0, `${path}: a title`);
  assert.equal(seen.inline, 0, `${path}: inline style or script`);
  assert.equal(new Set(seen.ids).size, seen.ids.length, `${path}: an id occurs twice`);
}
