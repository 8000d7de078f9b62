// Without scripts, everything that can be read with them can be read.

import assert from "node:assert/strict";
import { base, closeWindow, finish, inWindow, openWindow } from "./browser.mjs";
import { PAGES } from "./pages.mjs";

const scripted = await openWindow();
await inWindow({ javaScriptEnabled: false }, async (page) => {
  for (const path of PAGES) {
    await page.goto(path);
    await scripted.page.goto(path);
    const plain = words(await page.locator("main").innerText());
    const missing = words(await scripted.page.locator("main").innerText());
    for (const word of plain) missing.delete(word);
    // Scripts add ages ("2 h ago"), the names of actions and the address of the server, nothing else.
    const isContent = (word) => /\d/.test(word) && word.includes(".") && !word.includes(base);
    const content = [...missing].filter(isContent);
    assert.deepEqual(content, [], `${path} shows this only with scripts`);
    const hidden = await page.evaluate(unreadable);
    assert.deepEqual(hidden, [], `${path} hides this without scripts`);
  }

  // The search is a form.
  await page.goto("/");
  const input = page.locator("input[name=q]").first();
  await input.fill("google chrome");
  await input.press("Enter");
  await page.waitForURL(/\/\?q=google(\+|%20)chrome/);
  await page.locator("main a[href='/a/googlechromepkg']").first().click();
  await page.waitForURL("/a/googlechromepkg");
  assert.match(await page.locator("h1").innerText(), /Google Chrome/);
});
await closeWindow(scripted);
await finish();

function words(text) {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

/** Parts of the page that nothing but a script would show. Closed details can be opened by hand. */
function unreadable() {
  return [...document.querySelectorAll("main [hidden]")]
    .filter((element) => element.textContent.trim() !== "")
    .map((element) => element.outerHTML.slice(0, 120));
}
