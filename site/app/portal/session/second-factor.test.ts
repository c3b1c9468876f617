import { AuthApiError } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { codeRefusal, proveFactor } from "./second-factor.ts";
import { scriptedClient } from "../wire-fixture.ts";

test.each(["", "12345", "1234567", "abcdef"])("%j is no code, and nothing is asked", async (code) => {
  const { supabase, asked } = scriptedClient([]);
  const form = new FormData();
  form.set("code", code);
  expect(await proveFactor(supabase, "f", form)).toMatchObject({ ok: false, field: "code" });
  expect(asked).toEqual([]);
});

test.each([
  ["mfa_verification_failed", "code"],
  ["over_request_rate_limit", "code"],
  ["mfa_factor_not_found", undefined],
])("a refusal for %s is explained", (code, field) => {
  const { message, ...refusal } = codeRefusal(new AuthApiError("said by the service", 422, code));
  expect(refusal.field).toBe(field);
  expect(message).not.toBe("said by the service");
});

test("what is not known is said as the service says it", () => {
  expect(codeRefusal(new AuthApiError("said by the service", 422, "new_code"))).toEqual({ ok: false, message: "said by the service" });
});
