// A list of installed apps, pasted or as a file, with and without scripts; and files that are none.

import assert from "node:assert/strict";
import { downloaded, finish, inWindow } from "./browser.mjs";

const LIST = "name,bundle_id,version\nZoom,us.zoom.xos,1.0\nFirefox,org.mozilla.firefox,154.0\nNobody,com.example.nobody,1\n";
const PROFILE = JSON.stringify({
  SPApplicationsDataType: [
    { _name: "zoom.us", version: "1.0", path: "/Applications/zoom.us.app", obtained_from: "identified_developer" },
  ],
});

const file = (name, content) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });
const send = async (page) => {
  await page.locator("main form button:not([type=button])").first().click();
  // Without scripts, the answer is a page, of which only the beginning may be there.
  await page.waitForLoadState();
};
const verdict = (page, name) => page.locator("main table.data tbody tr").filter({ hasText: name }).first().innerText();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with scripts" : "without scripts";
  await inWindow({ javaScriptEnabled, expected: [/status 4(13|22)/, /status of 4(13|22)/] }, async (page) => {
    await page.goto("/check");
    assert.match(await page.locator("main").innerText(), /never stored or logged/i, how);

    // Pasted.
    await page.locator("main textarea").first().fill(LIST);
    await send(page);
    await page.locator("main table.data").first().waitFor();
    assert.match(await verdict(page, "Zoom"), /outdated/i, how);
    assert.match(await verdict(page, "Firefox"), /current/i, how);
    assert.match(await verdict(page, "Nobody"), /not in the catalog|unmatched|unknown/i, how);
    // What was sent is in no address, so in no history and in no log.
    assert.doesNotMatch(page.url(), /zoom/i, how);

    // A file.
    await page.goto("/check");
    await page.locator("main input[type=file]").first().setInputFiles(file("apps.json", PROFILE));
    await send(page);
    await page.locator("main table.data").first().waitFor();
    assert.match(await verdict(page, "zoom.us"), /outdated/i, how);

    // Files that are no list are named as such, and the form is still there.
    for (const content of ["", "\u0000\u0001\u0002", "{\"what\": \"this\"}", "<html>"]) {
      await page.goto("/check");
      await page.locator("main input[type=file]").first().setInputFiles(file("bad.bin", content));
      await send(page);
      await page.locator("main .notice").first().waitFor();
      assert.equal(await page.locator("main table.data").count(), 0, `${how}: ${content}`);
      assert.ok((await page.locator("main form").count()) > 0, how);
    }
  });
}

// The table is filtered at once and saved as a file; nothing is kept in the browser.
await inWindow({}, async (page, { context }) => {
  const rows = page.locator("main table.data tbody tr");
  await page.goto("/check");
  await page.locator("main textarea").first().fill(LIST);
  await send(page);
  await rows.first().waitFor();
  assert.equal(await rows.count(), 3);
  await page.locator("select[name=verdict]").selectOption("outdated");
  assert.equal(await rows.count(), 1);
  assert.match(await rows.first().innerText(), /Zoom/);
  await page.locator("select[name=verdict]").selectOption("");
  await page.locator("main input[name=q]").fill("nobody");
  assert.equal(await rows.count(), 1);
  await page.locator("main input[name=q]").fill("");
  assert.equal(await rows.count(), 3);

  const save = page.getByRole("button", { name: /CSV/ }).last();
  const { name, text } = await downloaded(page, () => save.click());
  assert.match(name, /\.csv$/);
  assert.match(text, /zoom/);
  assert.equal(text.trim().split("\n").length, 4);

  assert.deepEqual(await context.cookies(), []);
  assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
});

// A file that is dropped anywhere is checked.
await inWindow({}, async (page) => {
  await page.goto("/check");
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "apps.csv"));
    for (const type of ["dragover", "drop"]) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, LIST);
  await page.locator("main table.data").first().waitFor();
  assert.match(await verdict(page, "Zoom"), /outdated/i);
});
await finish();
