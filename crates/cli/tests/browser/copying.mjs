// The install part of an app: tabs by mouse and keyboard, copying, downloading.

import assert from "node:assert/strict";
import { base, downloaded, finish, inWindow } from "./browser.mjs";

const permissions = ["clipboard-read", "clipboard-write"];
const label = await (
  await fetch(`${base}/apps/firefoxpkg/generate-label`, {
    method: "POST",
    headers: { accept: "text/x-shellscript" },
  })
).text();

await inWindow({ permissions }, async (page) => {
  // The time of the page stands still, so that no notice ends before it is seen.
  await page.clock.install({ time: 0 });
  await page.goto("/a/firefoxpkg");
  await page.clock.pauseAt(60_000);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const panel = (title) => page.getByRole("tabpanel", { name: title });

  // One tab at a time; arrows walk through them and around the ends.
  const tabs = page.locator("#install").getByRole("tab");
  const count = await tabs.count();
  assert.ok(count >= 4, `${count} tabs`);
  const shown = () => page.locator("#install [role=tabpanel]:visible").count();
  assert.equal(await shown(), 1);
  await tabs.nth(1).click();
  assert.equal(await tabs.nth(1).getAttribute("aria-selected"), "true");
  assert.equal(await shown(), 1);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await tabs.nth(count - 1).getAttribute("aria-selected"), "true");
  assert.equal(await tabs.nth(count - 1).evaluate((tab) => tab === document.activeElement), true);
  await page.keyboard.press("Home");
  assert.equal(await tabs.first().getAttribute("aria-selected"), "true");

  // Every tab copies exactly what it shows, and says so.
  for (const tab of await tabs.all()) {
    await tab.click();
    const title = await tab.innerText();
    for (const box of await panel(title).locator(".code").all()) {
      const text = await box.locator("pre").textContent();
      const button = box.getByRole("button");
      await button.click();
      await box.getByRole("button", { name: "Copied" }).waitFor();
      assert.equal(await clipboard(), text, title);
    }
  }
  await page.clock.runFor(2_000);
  assert.equal(await page.getByRole("button", { name: "Copied" }).count(), 0);

  // The label is the one of the API, copied and downloaded.
  await tabs.first().click();
  const part = page.locator("#install [role=tabpanel]:visible figure:has(a[download])").first();
  const copied = part.getByRole("button", { name: "Copied" });
  await part.getByRole("button").click();
  await copied.waitFor();
  assert.equal((await clipboard()).trim(), label.trim());

  // Copying again starts the time of the notice anew.
  await page.clock.runFor(1_500);
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await part.getByRole("button").click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== "");
  await page.clock.runFor(1_500);
  assert.equal(await copied.count(), 1);
  await page.clock.runFor(500);
  assert.equal(await copied.count(), 0);
  const { name, text } = await downloaded(page, () => part.locator("a[download]").click());
  assert.equal(name, "firefoxpkg.sh");
  assert.equal(text, label);

  // The line for this very page works as it stands.
  const line = await page.locator("#api pre").first().textContent();
  const address = line.match(/https?:[^\s']+/)[0];
  assert.equal(address, `${base}/apps/firefoxpkg`);
  assert.equal((await (await fetch(address)).json()).slug, "firefoxpkg");
});

// An address can name a tab.
await inWindow({}, async (page) => {
  await page.goto("/a/firefoxpkg");
  const last = await page.locator("#install [role=tabpanel]").last().getAttribute("id");
  await page.goto("about:blank");
  await page.goto(`/a/firefoxpkg#${last}`);
  assert.equal(await page.locator(`#${last}`).isVisible(), true);
});

// Without permission to copy, the text is selected instead, and the page goes on.
await inWindow({}, async (page) => {
  await page.goto("/a/firefoxpkg");
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
  });
  const box = page.locator("#api .code").first();
  const text = await box.locator("pre").textContent();
  await box.getByRole("button").click();
  assert.equal(await page.evaluate(() => String(getSelection()).trim()), text.trim());
});
await finish();
