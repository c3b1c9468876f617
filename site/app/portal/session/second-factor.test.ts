import { AuthApiError } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { codeRefusal } from "./second-factor.ts";

test.each([
  ["mfa_verification_failed", "code"],
  ["over_request_rate_limit", "code"],
  ["mfa_factor_not_found", undefined],
])("a refusal for %s is explained", (code, field) => {
  const { message, ...refusal } = codeRefusal(new AuthApiError("said by the service", 422, code));
  expect(refusal.field).toBe(field);
  expect(message).not.toBe("said by the service");
});

test("an unknown error shows the message of the service", () => {
  expect(codeRefusal(new AuthApiError("said by the service", 422, "new_code"))).toEqual({ ok: false, message: "said by the service" });
});
