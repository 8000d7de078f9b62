// The pages of the sample catalog: one of each kind, and those with something missing.

const SAMPLE = [
  "/",
  "/?q=fire",
  "/?q=no+such+app",
  "/a/firefoxpkg",
  // Sources that disagree.
  "/a/zoom",
  // Without a version, and without a vendor.
  "/a/bravepkg",
  "/a/quicksilver",
  "/apps",
  "/apps?deprecated=true",
  "/drift",
  "/vendors",
  "/vendors/Mozilla",
  "/changes",
  "/compare",
  "/compare?slugs=firefoxpkg,zoom,bravepkg",
  "/compare?sources=label_tool,cask_catalog",
  "/about",
  "/check",
];

/** Every page, or those that the environment names, for working on one of them. */
export const PAGES = process.env.APPSTITCH_TEST_PAGES?.split(" ") ?? SAMPLE;

/** The name of a page's picture. */
export function fileName(path) {
  const name = path.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "");
  return name || "home";
}
