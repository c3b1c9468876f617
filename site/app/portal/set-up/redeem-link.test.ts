import { expect, test } from "vitest";
import { scriptedClient } from "../wire-fixture.ts";
import { choosePassword, enter, linkRefusal } from "./redeem-link.ts";

test("what a link proves is used up with the type it was made for", async () => {
  const { supabase, asked } = scriptedClient([{ status: 403, body: { code: 403, error_code: "otp_expired", msg: "x" } }]);
  expect(await enter(supabase, { kind: "proof", type: "recovery", token_hash: "ab" })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^This link has expired/),
  });
  expect(asked[0]).toMatch(/^POST \/auth\/v1\/verify \{"type":"recovery","token_hash":"ab"/);
});

test.each([
  ["user_banned", /^This account is disabled/],
  ["otp_expired", /^This link has expired/],
  ["session_not_found", /^This link has expired/],
  [undefined, /^This link could not be opened/],
])("a link refused with %s says why", (code, message) => {
  expect(linkRefusal(code)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
});

test("a password typed differently is not sent", async () => {
  const { supabase, asked } = scriptedClient([]);
  const form = new FormData();
  form.set("password", "a long walk");
  form.set("repeat", "a long talk");
  expect(await choosePassword(supabase, form)).toMatchObject({ ok: false, field: "repeat" });
  expect(asked).toEqual([]);
});
