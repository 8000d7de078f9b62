// Finding an app with the keyboard alone: focus, results while typing, choosing, leaving, going back.

import assert from "node:assert/strict";
import { base, finish, inWindow } from "./browser.mjs";

const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute("name"));

await inWindow({}, async (page) => {
  const input = page.locator("input[name=q]");
  const options = page.getByRole("option");
  const chosen = page.locator("[role=option][aria-selected=true]");

  // Both keys focus the search box, on every page; a slash in a field is a slash.
  for (const [path, key] of [["/", "/"], ["/", "Control+k"], ["/about", "/"], ["/about", "Meta+k"]]) {
    await page.goto(path);
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press(key);
    assert.equal(await focused(page), "q", `${key} on ${path}`);
    assert.equal(await input.inputValue(), "", `${key} is not typed`);
  }
  await page.keyboard.type("a/b");
  assert.equal(await input.inputValue(), "a/b");

  // Results appear while typing, and the address follows. The text comes at once: between keys, a slow
  // machine would search for the first of them.
  await page.goto("/");
  await page.keyboard.press("/");
  await page.keyboard.insertText("fire");
  await options.first().waitFor();
  assert.match(await options.first().innerText(), /Mozilla Firefox/);
  assert.equal(page.url(), `${base}/?q=fire`);
  assert.equal(await input.getAttribute("aria-expanded"), "true");

  // Arrows choose, beyond the ends and back; the input keeps the focus.
  assert.equal(await chosen.count(), 0);
  await page.keyboard.press("ArrowDown");
  const first = await options.first().getAttribute("id");
  assert.equal(await chosen.count(), 1);
  assert.equal(await input.getAttribute("aria-activedescendant"), first);
  assert.equal(await focused(page), "q");
  await page.keyboard.press("ArrowUp");
  assert.equal(await chosen.count(), 0);
  await page.keyboard.press("ArrowUp");
  assert.equal(await chosen.getAttribute("id"), await options.last().getAttribute("id"));

  // Escape closes the list and keeps what was typed; an arrow opens it again.
  await page.keyboard.press("Escape");
  assert.equal(await options.first().isVisible(), false);
  assert.equal(await input.inputValue(), "fire");
  await page.keyboard.press("ArrowDown");
  assert.equal(await options.first().isVisible(), true);

  // Enter opens the chosen app; going back leads to the search.
  await page.keyboard.press("Enter");
  await page.waitForURL("/a/firefoxpkg");
  await page.goBack();
  assert.equal(page.url(), `${base}/?q=fire`);
  assert.equal(await page.locator("input[name=q]").inputValue(), "fire");
});

await inWindow({}, async (page) => {
  // Enter without a choice asks the server; the address can be sent to somebody.
  await page.goto("/");
  await page.keyboard.press("/");
  await page.keyboard.type("zoom");
  await page.getByRole("option").first().waitFor();
  // The address and a link to the app are there before the page of results is.
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
  await page.waitForURL("/?q=zoom");
  await page.locator("main a[href='/a/zoom']").first().waitFor();
  await page.reload();
  assert.equal(await page.locator("input[name=q]").inputValue(), "zoom");

  // Nothing found is said, and an empty box has no list.
  const input = page.locator("input[name=q]");
  await input.fill("no such app anywhere");
  await page.getByText("Nothing found").first().waitFor();
  await input.fill("");
  await page.locator("[role=listbox]").first().waitFor({ state: "hidden" });
  assert.equal(page.url(), `${base}/`);

  // Only the last of many keys counts. A slow machine searches for the first ones as well, and the list must
  // not change while it is clicked.
  const last = page.waitForResponse(/\/search\?.*q=slack$/);
  await input.pressSequentially("slack", { delay: 5 });
  await (await last).finished();
  await page.getByRole("option", { name: /Slack/ }).first().waitFor();
  await page.getByRole("option", { name: /Slack/ }).first().click();
  await page.waitForURL("/a/slack");

  // From any page, the search leads to the results.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("browser");
  await page.keyboard.press("Enter");
  await page.waitForURL("/?q=browser");
  await page.locator("main a[href='/a/bravepkg']").first().waitFor();
});

// Browsers can add the search.
await inWindow({}, async (page) => {
  await page.goto("/");
  const path = await page.locator("link[rel=search]").getAttribute("href");
  const description = await (await fetch(new URL(path, base))).text();
  assert.match(description, /<OpenSearchDescription/);
  assert.match(description, /\?q=\{searchTerms\}/);
});
await finish();
