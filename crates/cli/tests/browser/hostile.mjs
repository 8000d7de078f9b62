// Names, versions, payloads, addresses and inventories of strangers are only text: no script runs, and
// no element appears.

import assert from "node:assert/strict";
import { checkMarkup, finish, inWindow } from "./browser.mjs";

const MARKUP = `"'></script></title></textarea><script>hacked=1</script><img src=x onerror=hacked=1>`;
const asked = encodeURIComponent(MARKUP);

const PATHS = [
  "/",
  "/?q=hostile",
  `/?q=${asked}`,
  "/a/hostile",
  "/a/hostile.two+x@y",
  "/a/script",
  "/drift",
  `/drift?vendor=${asked}&sort=${asked}&leader=${asked}&page=${asked}`,
  "/vendors",
  `/vendors?q=${asked}&sort=${asked}`,
  "/changes",
  `/changes?kind=${asked}&vendor=${asked}&slug=${asked}&since=${asked}`,
  "/compare?slugs=hostile,hostile.two%2Bx@y,script",
  `/compare?slugs=${asked}&sources=${asked}`,
  "/about",
  "/check",
  `/a/${asked}`,
  `/vendors/${asked}`,
  `/${asked}`,
];

// Unknown names are answered with 404 or 422, which the browser writes to the console.
const expected = [/status (404|422)/, /the server responded with a status of 4(04|22)/];

await inWindow({ expected }, async (page) => {
  for (const path of PATHS) {
    await checkMarkup(await page.goto(path), path);
    await check(page, path);
  }

  // Every vendor of the catalog has a page, whatever characters it has.
  await page.goto("/vendors");
  const vendors = await page.evaluate(() =>
    [...document.querySelectorAll("main a[href^='/vendors/']")]
      .map((link) => link.getAttribute("href"))
      .filter((path) => !/feed\.(atom|json)/.test(path)),
  );
  assert.ok(new Set(vendors).size >= 2, `vendors: ${vendors}`);
  for (const path of new Set(vendors)) {
    assert.equal((await page.goto(path)).status(), 200, path);
    await check(page, path);
  }

  // Found while typing.
  await page.goto("/");
  await page.locator("input[name=q]").first().pressSequentially("onfocus");
  await page.locator("[role=option]").first().waitFor();
  await check(page, "results while typing");

  // What an inventory says comes back on the page.
  await page.goto("/check");
  const rows = `name,version\n"${MARKUP.replaceAll('"', '""')}",1.0\nhostile,"${MARKUP.replaceAll('"', '""')}"\n`;
  await page.locator("textarea").first().fill(rows);
  await page.locator("main form button[type=submit], main form button:not([type])").first().click();
  await page.locator("main table").first().waitFor();
  assert.match(await page.locator("main").innerText(), /<img src=x/, "the row is shown as it is");
  await check(page, "/check with rows");

  // Badges are documents of their own.
  for (const path of [
    "/badge/version/hostile.svg",
    "/badge/version/hostile/label_tool.svg",
    `/badge/version/hostile.svg?header=${asked}`,
    `/badge/version/${asked}.svg`,
    `/badge/current/hostile.svg?have=${asked}`,
    "/badge/drift/hostile.svg",
    "/badge/table/hostile.svg",
  ]) {
    const response = await page.goto(path);
    assert.equal(response.status(), 200, path);
    assert.match(response.headers()["content-type"], /^image\/svg\+xml/, path);
    assert.equal(await page.locator("parsererror").count(), 0, `${path} is no XML`);
    await check(page, path);
  }
});
await finish();

async function check(page, path) {
  await page.mouse.move(300, 300);
  const seen = await page.evaluate(() => {
    const isOurs = (script) => /^\/assets\/script\.[0-9a-f]+\.js$/.test(script.getAttribute("src") ?? "");
    const handlers = (element) => [...element.attributes].some(({ name }) => /^on/i.test(name));
    const all = [...document.querySelectorAll("*")];
    const addresses = all.flatMap((element) =>
      ["href", "src", "action"].map((name) => element.getAttribute(name)).filter(Boolean),
    );
    return {
      hacked: typeof window.hacked,
      scripts: [...document.querySelectorAll("script")].filter((script) => !isOurs(script)).length,
      handlers: all.filter(handlers).length,
      pictures: document.querySelectorAll("img[src='x'], svg[onload], iframe, object, embed, base").length,
      dangerous: addresses.filter((address) => /^\s*(javascript|data|vbscript):/i.test(address)),
      templates: document.body?.innerText.includes("{{49}}") ?? false,
    };
  });
  const nothing = { hacked: "undefined", scripts: 0, handlers: 0, pictures: 0, dangerous: [], templates: false };
  assert.deepEqual(seen, nothing, path);
}
