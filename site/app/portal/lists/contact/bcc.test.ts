import { expect, test } from "vitest";
import { addressesOf, bccHref } from "./bcc.ts";

test("the link has each address once, as bcc", () => {
  const rows = ["ada@fell.example", null, "", "Ada@Fell.example", "o'neill&co@tarn.example"].map((email) => ({ email }));
  expect(addressesOf(rows)).toEqual(["Ada@Fell.example", "o'neill&co@tarn.example"]);
  expect(bccHref(addressesOf(rows))).toBe("mailto:?bcc=Ada@Fell.example,o'neill%26co@tarn.example");
  expect(bccHref(["ada@fell.example"], { subject: "Called off", body: "We are sorry" })).toBe(
    "mailto:?bcc=ada@fell.example&subject=Called%20off&body=We%20are%20sorry",
  );
});

test("there is no link without addresses, or longer than mail programs accept", () => {
  expect(bccHref([])).toBeNull();
  const many = Array.from({ length: 100 }, (_, index) => `person-${index}@fell.example`);
  expect(bccHref(many.slice(0, 50))).toContain("person-49@fell.example");
  expect(bccHref(many)).toBeNull();
  expect(bccHref(many.slice(0, 50), { subject: "Called off", body: "x".repeat(1000) })).toBeNull();
});
