import { expect, test } from "vitest";
import { setUpRefusal } from "./queries.ts";

test.each([
  [{ code: "otp_expired", message: "Email link is invalid or has expired" }, /^This set-up link has expired or was used before\./],
  [{ code: "validation_failed", message: "An email address is required" }, /^An email address is required$/],
  ["<html>", /^The account could not be created/],
])("the body %j is explained", (body, message) => {
  expect(setUpRefusal(body)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
});

test("a weak password is shown at its field", () => {
  expect(setUpRefusal({ code: "weak_password", message: "Password should be at least 10 characters." })).toMatchObject({
    field: "password",
  });
});
