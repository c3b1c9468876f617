import { writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { afterEach, expect, inject, test, vi } from "vitest";
import { findBrowser, launchBrowser } from "./browser.ts";
import { temporaryDirectory } from "./product.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test.runIf(process.platform === "linux")("the browser comes from npm even if another one is installed", async () => {
  await using directory = await temporaryDirectory();
  for (const name of ["chromium", "chromium-browser", "google-chrome", "chrome"])
    await writeFile(join(directory.path, name), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  vi.stubEnv("CHROME_PATH", undefined);
  vi.stubEnv("PATH", `${directory.path}${delimiter}${process.env["PATH"]}`);
  expect(dirname(await findBrowser())).not.toBe(directory.path);
  const browser = await launchBrowser();
  expect(browser.version()).toMatch(/^\d+\./);
  await browser.close();
});

test("CHROME_PATH names another browser", async () => {
  vi.stubEnv("CHROME_PATH", "/opt/another/chrome");
  expect(await findBrowser()).toBe("/opt/another/chrome");
});

test("the global setup starts the browser inside Vitest's module runner", () => {
  expect(inject("browserVersion")).toMatch(/^\d+\./);
});
