// Dark and light, wide and narrow, on paper.

import assert from "node:assert/strict";
import { PHONE, finish, inWindow } from "./browser.mjs";
import { PAGES } from "./pages.mjs";

// Both color schemes have colors of their own.
await inWindow({}, async (page) => {
  for (const path of PAGES) {
    await page.goto(path);
    await page.emulateMedia({ colorScheme: "light" });
    const light = await page.evaluate(colors);
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await page.evaluate(colors);
    assert.ok(light.paper > 0.85 && light.ink < 0.3, `${path} in light: ${JSON.stringify(light)}`);
    assert.ok(dark.paper < 0.15 && dark.ink > 0.6, `${path} in dark: ${JSON.stringify(dark)}`);
  }
});

// Paper is white, whatever the screen is.
await inWindow({ colorScheme: "dark" }, async (page) => {
  await page.emulateMedia({ media: "print" });
  for (const path of PAGES) {
    await page.goto(path);
    const paper = await page.evaluate(colors);
    assert.ok(paper.paper > 0.95 && paper.ink < 0.3, `${path} on paper: ${JSON.stringify(paper)}`);
  }
});

// No flash: with a slow style, no frame between two dark pages is bright.
await inWindow({ colorScheme: "dark" }, async (page, { context }) => {
  await page.goto("/");
  const devtools = await context.newCDPSession(page);
  const frames = [];
  devtools.on("Page.screencastFrame", ({ data, sessionId }) => {
    frames.push(data);
    devtools.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
  });
  await page.route("**/assets/style*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  await devtools.send("Page.startScreencast", { format: "png" });
  await page.goto("/about");
  await page.waitForTimeout(200);
  // A slow machine may need longer for its first frame.
  for (let waited = 0; frames.length === 0 && waited < 30_000; waited += 100) await page.waitForTimeout(100);
  await devtools.send("Page.stopScreencast");
  assert.ok(frames.length > 0, "no frame was seen");
  await inWindow({}, async (other) => {
    for (const frame of frames) {
      const brightness = await other.evaluate(brightnessOf, frame);
      assert.ok(brightness < 0.3, `a bright frame: ${brightness}`);
    }
  });
});

// Nothing sticks out of a narrow screen; only tables and code scroll, in boxes of their own.
for (const width of [390, 320]) {
  await inWindow({ ...PHONE, viewport: { width, height: 844 } }, async (page) => {
    for (const path of PAGES) {
      await page.goto(path);
      const { wide, culprits } = await page.evaluate(sticksOut);
      assert.ok(wide <= width, `${path} is ${wide} wide on ${width}: ${culprits.join(", ")}`);
      if (width === 390) {
        const small = await page.evaluate(smallTargets);
        assert.deepEqual(small, [], `${path} has small targets`);
      }
    }
  });
}

// With a mouse, what stands alone is at least 24 pixels high and wide, and the menu is one row from 720 pixels on.
for (const width of [720, 800, 900, 1000, 1280]) {
  await inWindow({ viewport: { width, height: 900 } }, async (page) => {
    for (const path of PAGES) {
      await page.goto(path);
      const tops = await page.evaluate(() =>
        [...document.querySelectorAll("header nav a, header .brand")].map((item) => {
          const box = item.getBoundingClientRect();
          return Math.round((box.top + box.bottom) / 2);
        }),
      );
      assert.ok(Math.max(...tops) - Math.min(...tops) < 4, `${path} on ${width}: the menu has rows at ${tops}`);
      const small = await page.evaluate(smallLinks);
      assert.deepEqual(small, [], `${path} on ${width} has small targets`);
      const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
      assert.ok(wide <= width, `${path} is ${wide} wide on ${width}`);
    }
  });
}

// Beside the facts of an app, the table of sources fits whatever the sources wrote.
await inWindow({ viewport: { width: 1024, height: 900 } }, async (page) => {
  await page.goto("/a/zoom");
  const cut = await page.evaluate(() => {
    const box = document.querySelector("#sources .table-box");
    const write = (label, text) => {
      for (const cell of box.querySelectorAll(`[data-label="${label}"] > :first-child`)) cell.textContent = text;
    };
    write("Version", "10.105.4,20240910164757,a2e60a8d876a07eded5d212fa56ba45214114ad0");
    write("Entry", "com.example.ApplicationWithALongIdentifier");
    return box.scrollWidth - box.clientWidth;
  });
  assert.ok(cut <= 0, `the table of sources is cut by ${cut}`);
});

// On a phone, the last column of the vendors is not cut.
await inWindow({ ...PHONE, viewport: { width: 360, height: 844 } }, async (page) => {
  await page.goto("/vendors");
  const cut = await page.locator(".table-box").evaluate((box) => box.scrollWidth - box.clientWidth);
  assert.ok(cut <= 0, `the table of vendors is cut by ${cut}`);
});

// On paper, every tool has its heading, and nothing asks to be pressed.
await inWindow({}, async (page) => {
  await page.goto("/a/firefoxpkg");
  await page.locator(".tabs.ready").waitFor();
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator("#install-brew > h3").isVisible(), "the heading of a tab");
  assert.equal(await page.locator("button:visible").count(), 0, "buttons on paper");
});

// A wide screen is used, and lines stay readable.
await inWindow({ viewport: { width: 1920, height: 1080 } }, async (page) => {
  await page.goto("/about");
  const lines = await page.evaluate(() =>
    Math.max(...[...document.querySelectorAll("main p")].map((text) => text.clientWidth)),
  );
  assert.ok(lines < 1000, `lines are ${lines} wide`);
});
await finish();

/** The brightness of the page and of its text, from 0 to 1. */
function colors() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const brightness = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return { value: (0.299 * red + 0.587 * green + 0.114 * blue) / 255, alpha };
  };
  const of = (element, name) => brightness(getComputedStyle(element)[name]);
  let paper = of(document.body, "backgroundColor");
  if (paper.alpha === 0) paper = of(document.documentElement, "backgroundColor");
  return { paper: paper.alpha === 0 ? 1 : paper.value, ink: of(document.querySelector("h1"), "color").value };
}

/** The brightness of a picture's corners and middle, the brightest of them. */
async function brightnessOf(data) {
  const picture = new Image();
  picture.src = `data:image/png;base64,${data}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  const drawing = canvas.getContext("2d");
  drawing.drawImage(picture, 0, 0);
  const pixels = drawing.getImageData(0, 0, picture.width, picture.height).data;
  let sum = 0;
  for (let at = 0; at < pixels.length; at += 4) sum += pixels[at] + pixels[at + 1] + pixels[at + 2];
  return sum / (pixels.length / 4) / 765;
}

/** The width of the page, and what is wider than the screen. */
function sticksOut() {
  const wide = document.scrollingElement.scrollWidth;
  const innerWidth = screen.width;
  const scrolls = (element) => getComputedStyle(element).overflowX !== "visible";
  const isInBox = (element) =>
    element !== document.body && (scrolls(element) || isInBox(element.parentElement));
  const culprits = [...document.querySelectorAll("body *")]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !isInBox(element))
    .slice(0, 5)
    .map((element) => `${element.tagName.toLowerCase()}.${element.className}`);
  return { wide, culprits };
}

/** Links that stand alone, buttons and fields that are hard to hit with a mouse. */
function smallLinks() {
  const alone = "header a, footer a, td > a, th > a, .hit-head a, .pager a, .letters a, .ways li > a, #report li > a, button, select, summary, input:not([type=hidden])";
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isSmall = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && Math.min(box.width, box.height) < 23.5;
  };
  return [...document.querySelectorAll(alone)]
    .filter((element) => isShown(element) && isSmall(element))
    .map((element) => `${element.outerHTML.slice(0, 100)} ${element.getBoundingClientRect().height}`);
}

/** Buttons and fields that are hard to hit with a finger. */
function smallTargets() {
  const elements = [...document.querySelectorAll("button, input:not([type=hidden]), select, summary, header nav a")];
  const isSmall = (element) => {
    const box = (element.closest("label") ?? element).getBoundingClientRect();
    return box.width > 0 && box.height > 0 && box.height < 43.5;
  };
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  return elements
    .filter((element) => isShown(element) && isSmall(element))
    .map((element) => `${element.outerHTML.slice(0, 100)} ${element.getBoundingClientRect().height}`);
}
