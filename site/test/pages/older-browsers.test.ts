import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { newInScripts, newInStyles } from "./older-browsers.ts";

// The site as it is built, libraries included. Browsers skip a style they do not know; a script stops.

const ASSETS = join(import.meta.dirname, "../build/client/assets");

/** What stands in the scripts and is well without: by whom, and why. */
const KNOWN = {
  "React, which asks whether it is there": [
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
  "the router, which asks whether it is there": ["saveData"],
  "auth-js, which asks whether it is there": [
    "PublicKeyCredential.parseCreationOptionsFromJSON",
    "PublicKeyCredential.parseRequestOptionsFromJSON",
    "parseCreationOptionsFromJSON",
    "parseRequestOptionsFromJSON",
  ],
  "js-base64, which asks whether it is there": ["Uint8Array.fromBase64"],
  "ours, which asks whether it is there": ["requestIdleCallback", "globalPrivacyControl"],
  "React, for elements of one's own, of which there are none": ["select is"],
  "a name of something else": ["delay", "features", "fence", "level", "share", "sources"],
  "an attribute that only says what comes first": ["img fetchpriority", "script fetchpriority"],
};

/** What the styles ask for and a page is well without: what it does there. */
const BETTER_WITH = {
  "no scrollbar below a carousel, nor the next page at its end": [
    "scrollbar-width",
    "scrollbar-width: auto",
    "scrollbar-width: none",
    "overscroll-behavior-x",
    "overscroll-behavior-x: contain",
  ],
  "written with a prefix too": ["line-clamp", "text-size-adjust", "user-select", "user-select: all"],
  "a first screen that comes sooner": ["content-visibility", "content-visibility: auto"],
  "no short last line": ["text-wrap: pretty"],
  "colours of bullets and ticks": ["::marker", "accent-color"],
  "a register across the sheet": ["@page"],
  "said by the build as it is by itself": ["mask-mode", "mask-mode: match-source"],
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

describe("what is built for browsers", () => {
  test("runs nothing that browsers of two years ago lack, unless it asks first", () => {
    expect(unexpected(newInScripts(scripts), KNOWN)).toEqual({});
  });

  test("is styled by what they have, but for what a page is well without", () => {
    expect(unexpected(newInStyles(styles), BETTER_WITH)).toEqual({});
  });
});

test.each([
  ["URL.parse(text)", "URL.parse"],
  ["const first = map.values().find(isFirst)", "find of an iterator"],
  ["list.moveBefore(one, other)", "moveBefore"],
  ["Promise.try(act)", "Promise.try"],
  ['jsx("dialog", { closedBy: "any" })', "dialog closedby"],
])("in %s what is new is found", (script, name) => {
  expect([...newInScripts([script]).keys()]).toContain(name);
});

test.each([
  ["a{interpolate-size:allow-keywords}", "interpolate-size"],
  ["textarea{field-sizing:content}", "field-sizing"],
  ["@starting-style{a{opacity:0}}", "@starting-style"],
  [".a{position-anchor:--a}", "position-anchor"],
])("in %s what is new is found", (styled, name) => {
  expect([...newInStyles(styled).keys()]).toContain(name);
});

/** What was found and nobody answers for, and what somebody answers for that is not there. */
function unexpected(found: Map<string, string>, answered: Record<string, string[]>): Record<string, string> {
  const left = new Map(found);
  for (const name of Object.values(answered).flat()) if (!left.delete(name)) left.set(name, "is no longer there");
  return Object.fromEntries(left);
}
