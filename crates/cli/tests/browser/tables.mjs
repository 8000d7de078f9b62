// Filters and sorting: they work by the address, so a view can be sent, reloaded and left again.

import assert from "node:assert/strict";
import { base, downloaded, finish, inWindow } from "./browser.mjs";

const rows = (page) => page.locator("main table.data").last().locator("tbody tr");
const names = (page) => rows(page).locator("th[scope=row]").allInnerTexts();
const heading = (page, title) =>
  page.locator("main th:has(a.sort)").filter({ hasText: new RegExp(`^${title}`) });
/** Follows a link to its whole page: right after the click, only the beginning may be there. */
const follow = (page, link) => Promise.all([page.waitForEvent("load"), link.click()]);

for (const javaScriptEnabled of [true, false]) {
  await inWindow({ javaScriptEnabled }, async (page) => {
    await checkDrift(page);
    await checkVendors(page);
  });
}

// With scripts, a choice is applied at once; going back undoes it.
await inWindow({}, async (page) => {
  await page.goto("/drift");
  const all = await names(page);
  const choice = page.locator("form.filters select[name=laggard]");
  await choice.selectOption({ index: 1 });
  await page.waitForURL(/laggard=/);
  assert.ok((await names(page)).length <= all.length);
  await page.goBack();
  assert.deepEqual(await names(page), all);
});

// Apps are filtered in the same way, and everything on a page fits the filter.
await inWindow({}, async (page) => {
  await page.goto("/apps");
  const all = await names(page);
  await page.locator("form.filters select[name=source]").selectOption("mdm_installer");
  await page.waitForURL(/source=mdm_installer/);
  const chosen = await names(page);
  const answer = await fetch(`${base}/apps?source=mdm_installer&limit=1000`);
  assert.equal(chosen.length, (await answer.json()).length);
  assert.ok(chosen.length > 0 && chosen.length < all.length, `${chosen.length} of ${all.length}`);
  await page.goBack();
  assert.deepEqual(await names(page), all);
});

// The file has the rows of the view.
await inWindow({}, async (page) => {
  for (const path of [
    "/drift",
    "/drift?vendor=Mozilla",
    "/drift?include=mdm_installer,store_listing",
    "/vendors",
    "/vendors?q=o&sort=-apps",
  ]) {
    await page.goto(path);
    const file = page.locator("main a[href*='.csv']").first();
    const answer = await fetch(new URL(await file.getAttribute("href"), base + path));
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get("content-type"), /^text\/csv/, path);
    const lines = (await answer.text()).trim().split(/\r?\n/);
    const shown = await rows(page).count();
    assert.equal(lines.length - 1, shown, `${path}: ${lines.length - 1} lines for ${shown} rows`);
  }
});

// A file of changes has a line for each field that changed, and is saved under its name.
await inWindow({}, async (page) => {
  await page.goto("/changes");
  const link = page.locator("main a[href*='.csv']");
  const { name, text } = await downloaded(page, () => link.click());
  assert.equal(name, "changes.csv");
  assert.match(text, /^number,at,slug,name,kind,field,from,to\r\n/);
});
await finish();

async function checkDrift(page) {
  await page.goto("/drift");
  const all = await names(page);
  const entries = await (await fetch(`${base}/apps/drift`)).json();
  assert.equal(all.length, entries.entries.length, "as many rows as the API has entries");
  await checkSorting(page, all);

  // A filter leaves the rows it names.
  await page.goto("/drift?vendor=Mozilla");
  assert.deepEqual((await names(page)).map((name) => /Firefox/.test(name)), [true]);
  // Filters stay when the order changes.
  await follow(page, page.locator("main th a.sort").first());
  assert.match(page.url(), /vendor=Mozilla/);
  assert.equal((await names(page)).length, 1);
}

async function checkVendors(page) {
  await page.goto("/vendors");
  const all = await names(page);
  assert.ok(all.some((name) => name.includes("Mozilla")));
  await checkSorting(page, all);
  await page.goto("/vendors");
  await page.getByRole("link", { name: "Mozilla", exact: true }).first().click();
  await page.waitForURL(/\/vendors\/Mozilla/i);
  await page.locator("main a[href='/a/firefoxpkg']").first().waitFor();
}

/** Every heading sorts, says so, and turns around when it is used again. The rows are the same. */
async function checkSorting(page, all) {
  const path = new URL(page.url()).pathname;
  const titles = await page.locator("main th a.sort").allInnerTexts();
  assert.ok(titles.length >= 2, `${path}: ${titles}`);
  for (const title of titles) {
    await page.goto(path);
    const sort = async () => {
      await follow(page, heading(page, title).locator("a.sort"));
      assert.equal(await page.locator("main th[aria-sort]").count(), 1, `${path} by ${title}`);
      assert.deepEqual([...(await names(page))].sort(), [...all].sort(), `${path} by ${title}`);
      return heading(page, title).getAttribute("aria-sort");
    };
    const once = await sort();
    assert.match(once ?? "", /^(ascending|descending)$/, `${path} by ${title}`);
    assert.notEqual(await sort(), once, `${path} by ${title}, turned around`);
  }
}
