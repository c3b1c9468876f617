import { describe, expect, test } from "vitest";
import { deviceOf, referrerHost } from "./client.ts";

function from(headers: Record<string, string>): Request {
  return new Request("http://127.0.0.1:3000/functions/v1/record-page-view", { headers });
}

test.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1", "phone"],
  ["Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/153.0.0.0 Mobile Safari/537.36", "phone"],
  ["Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 Chrome/153.0.0.0 Safari/537.36", "tablet"],
  ["Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1", "tablet"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/153.0.0.0 Safari/537.36", "computer"],
  ["", "computer"],
])("%s is a %s", (userAgent, device) => {
  expect(deviceOf(from({ "user-agent": userAgent }))).toBe(device);
});

describe("the referrer", () => {
  test.each([
    ["https://www.google.co.uk/search?q=secret", "google.co.uk"],
    ["https://site.example/blog", undefined],
    ["android-app://com.google.android.gm/", undefined],
    ["https://localhost/", undefined],
    ["not an address", undefined],
    [undefined, undefined],
  ])("%s counts as %s", (referrer, host) => {
    expect(referrerHost(referrer, from({ origin: "https://site.example" }))).toBe(host);
  });
});
