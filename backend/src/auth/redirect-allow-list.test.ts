import { describe, expect, test } from "vitest";
import { createRedirects } from "./redirect-allow-list.ts";

const SITE = "https://larkfell.example";

describe("the redirect allow-list", () => {
  const cases: [target: string, patterns: string[], allowed: boolean][] = [
    ["https://larkfell.example", [], true],
    ["https://larkfell.example/admin?x=1#here", [], true],
    ["http://larkfell.example/", [], false],
    ["https://larkfell.example:8443/", [], false],
    ["https://larkfell.example.evil.example/", [], false],
    ["https://larkfell.example@evil.example/", [], false],
    ["https://staff:pass@larkfell.example/", [], false],
    ["https://evil.example/?https://larkfell.example/", [], false],
    ["//evil.example", [], false],
    ["blob:https://larkfell.example/0b2f", [], false],
    ["/admin", [], false],
    ["javascript:alert(1)", ["https://**"], false],
    ["https://app.example/welcome", ["https://app.example/welcome"], true],
    ["https://app.example/welcome/2", ["https://app.example/welcome"], false],
    ["https://app.example", ["https://app.example"], true],
    ["https://app.example/#a", ["https://app.example"], true],
    ["https://app.example/a", ["https://app.example/*"], true],
    ["https://app.example/a/b", ["https://app.example/*"], false],
    ["https://app.example/a/b", ["https://app.example/**"], true],
    ["https://one.app.example/", ["https://*.app.example/"], true],
    ["https://one.two.app.example/", ["https://*.app.example/"], false],
    ["https://evil.example/.app.example/", ["https://*.app.example/"], false],
    ["https://app1.example/", ["https://app?.example/"], true],
    ["https://app..example/", ["https://app?.example/"], false],
    ["https://a.example/", ["https://[a-c].example/"], true],
    ["https://d.example/", ["https://[a-c].example/"], false],
    ["https://d.example/", ["https://[!a-c].example/"], true],
    ["https://b.example/", ["https://{a,b}.example/"], true],
    ["https://c.example/", ["https://{a,b}.example/"], false],
    ["https://b.example/x", ["https://{a.example/,{b,c}.example/{x,y}}"], true],
    ["https://a.example/x", ["https://{a.example/,{b,c}.example/{x,y}}"], false],
    ["https://c.example/{y}", ["https://{a,{b,c}.example/\\{y\\}"], false],
    ["https://app.example/a-b", ["https://app.example/[a-c]-[!a]"], true],
    ["https://app.example/a-a", ["https://app.example/[a-c]-[!a]"], false],
    ["https://app.example/a*", ["https://app.example/a\\*"], true],
    ["https://app.example/ab", ["https://app.example/a\\*"], false],
    ["https://axexample/", ["https://a.example/"], false],
    ["com.larkfell.app://sign-in", ["com.larkfell.app://*"], true],
    ["http://localhost:5173/a", ["http://localhost:5173/**"], true],
  ];
  test.each(cases)("%s with %j: %s", (target, patterns, allowed) => {
    expect(createRedirects(SITE, patterns).allowed(target) !== undefined).toBe(allowed);
  });

  test("an address of the longest request is compared at once, whatever the pattern", () => {
    const redirects = createRedirects(SITE, ["https://**a**a**a**!", "https://*a*a*a*a*!", "https://app.example/{a,**a}{b,**a}**!"]);
    expect(redirects.allowed(`https://${"a".repeat(16_000)}`)).toBeUndefined();
    expect(redirects.allowed(`https://app.example/${"a".repeat(16_000)}!`)).toBeDefined();
  });

  test("returns the normalised address", () => {
    expect(createRedirects(SITE, []).allowed("https://larkfell.example\\@evil.example/")).toBe("https://larkfell.example/@evil.example/");
  });
});
