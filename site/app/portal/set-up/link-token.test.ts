import { expect, test } from "vitest";
import { readLinkToken } from "./link-token.ts";

test.each([
  ["no link", "", null],
  ["another fragment", "#form", null],
  ["an invitation", "#token_hash=ab12&type=invite", { type: "invite", token_hash: "ab12" }],
  ["a change of address", "#token_hash=ab12&type=email_change", { type: "email_change", token_hash: "ab12" }],
  ["an unknown type", "#token_hash=ab12&type=sms", null],
  ["a link without a token", "#token_hash=&type=invite", null],
])("%s", (_what, hash, token) => {
  expect(readLinkToken(hash)).toEqual(token);
});
