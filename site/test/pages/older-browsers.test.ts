import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { newInScripts, newInStyles } from "./older-browsers.ts";

// Checks the built site with its libraries. Browsers ignore unknown styles, but an unknown function stops a script.

const ASSETS = join(import.meta.dirname, "../../build/client/assets");

/** Newer features that scripts use only if present, by library, with the reason. */
const CHECKED_FEATURES = {
  "React, behind a check": [
    "startViewTransition",
    "skipTransition",
    "transition",
    "canIntercept",
    "currentEntry",
    "connection",
    "downlink",
    "devicePixelRatio",
    "fromElement",
  ],
  "the router, behind a check": ["saveData"],
  "the editor of posts, behind a check": [
    "caretPositionFromPoint",
    "offsetNode",
    "getComposedRanges",
    "trustedTypes",
    "defaultPolicy",
    "createPolicy",
    "prevValue",
  ],
  "our own code, behind a check": ["requestIdleCallback", "globalPrivacyControl"],
  "React, for custom elements, which we do not use": ["select is"],
  "names of something else": ["delay", "fence", "listStyle", "scan", "sources", "years"],
  "attributes that only set a priority": ["img fetchpriority"],
};

/** Newer features of styles that are optional, by their effect. */
const OPTIONAL_STYLES = {
  "no scrollbar below a carousel, and no page navigation at its end": [
    "scrollbar-width",
    "scrollbar-width: auto",
    "scrollbar-width: none",
    "overscroll-behavior-x",
    "overscroll-behavior-x: contain",
  ],
  "the whole focus ring of a link in a cell that is cut": ["overflow-clip-margin"],
  "stars in forced colours, which Safari does not have": ["forced-color-adjust", "forced-color-adjust: none"],
  "also written with a prefix": [
    "print-color-adjust",
    "print-color-adjust: exact",
    "line-clamp",
    "text-size-adjust",
    "user-select",
    "user-select: all",
  ],
  "a faster first screen": ["content-visibility", "content-visibility: auto"],
  "no short last line": ["text-wrap: pretty"],
  "colours of bullets and ticks": ["::marker", "accent-color"],
  "closed parts of a course page on paper; open ones are printed everywhere": ["::details-content", "content-visibility: visible"],
  "a register in landscape format": ["@page"],
  "the default value, written by the build": ["mask-mode", "mask-mode: match-source"],
};

let scripts: string[] = [];
let styles = "";
beforeAll(async () => {
  const names = await readdir(ASSETS);
  const read = (ending: string): Promise<string[]> =>
    Promise.all(names.filter((name) => name.endsWith(ending)).map((name) => readFile(join(ASSETS, name), "utf8")));
  scripts = await read(".js");
  styles = (await read(".css")).join("\n");
});

describe("the built site", () => {
  test("runs no script features that browsers of two years ago lack, except behind a check", () => {
    expect(unexpected(newInScripts(scripts), CHECKED_FEATURES)).toEqual({});
  });

  test("uses only style features that they have, except optional ones", () => {
    expect(unexpected(newInStyles(styles), OPTIONAL_STYLES)).toEqual({});
  });
});

test.each([
  ["URL.parse(text)", "URL.parse"],
  ["const first = map.values().find(isFirst)", "find of an iterator"],
  ["list.moveBefore(one, other)", "moveBefore"],
  ["Promise.try(act)", "Promise.try"],
  ['jsx("dialog", { closedBy: "any" })', "dialog closedby"],
])("in %s the newer feature is found", (script, name) => {
  expect([...newInScripts([script]).keys()]).toContain(name);
});

test.each([
  ["a{interpolate-size:allow-keywords}", "interpolate-size"],
  ["textarea{field-sizing:content}", "field-sizing"],
  ["@starting-style{a{opacity:0}}", "@starting-style"],
  [".a{position-anchor:--a}", "position-anchor"],
])("in %s the newer feature is found", (styled, name) => {
  expect([...newInStyles(styled).keys()]).toContain(name);
});

/** The found features that are not listed, and the listed features that were not found. */
function unexpected(found: Map<string, string>, listed: Record<string, string[]>): Record<string, string> {
  const left = new Map(found);
  for (const name of Object.values(listed).flat()) if (!left.delete(name)) left.set(name, "is no longer used");
  return Object.fromEntries(left);
}
