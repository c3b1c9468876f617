import { expect, test } from "vitest";
import { profileOfClaims } from "./profile.ts";

const email = "ada@school.example";

test.each([
  ["google", { email_verified: true }, true],
  ["google", { email_verified: false }, false],
  ["google", {}, false],
  ["apple", { email_verified: "true" }, true],
  ["apple", { email_verified: "false" }, false],
  // The administrator of an Azure tenant can write any address into `email`.
  ["azure", { email_verified: true }, false],
  ["azure", { xms_edov: true }, true],
  ["azure", { xms_edov: "1" }, true],
  ["azure", { xms_edov: 1 }, true],
  ["azure", { xms_edov: false }, false],
  ["google", { xms_edov: true }, false],
  ["google", { email_verified: 1 }, false],
])("of %s, %j makes the address verified: %s", (provider, claims, verified) => {
  expect(profileOfClaims(provider, { sub: "1", email, ...claims })).toMatchObject({ email, emailVerified: verified });
});

test("an invalid address is omitted and never verified", () => {
  const profile = profileOfClaims("google", { sub: "1", email: "not an address", email_verified: true });
  expect(profile).toMatchObject({ email: null, emailVerified: false });
});
