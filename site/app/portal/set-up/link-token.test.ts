import { expect, test } from "vitest";
import { readLinkToken } from "./link-token.ts";

test.each([
  ["no link", "", { kind: "nothing" }],
  ["something else behind the #", "#form", { kind: "nothing" }],
  ["a link that was handed over", "#token_hash=ab12&type=invite", { kind: "proof", type: "invite", token_hash: "ab12" }],
  ["a link of another type", "#token_hash=ab12&type=email_change", { kind: "nothing" }],
  [
    "a mailed link",
    "#access_token=a.b.c&expires_in=3600&refresh_token=r&token_type=bearer&type=recovery&sb=",
    { kind: "session", access_token: "a.b.c", refresh_token: "r" },
  ],
  [
    "an expired mailed link",
    "#error=access_denied&error_code=otp_expired&error_description=x&sb=",
    { kind: "refused", code: "otp_expired" },
  ],
  [
    "the first confirmation of a changed e-mail address",
    "#message=Proceed+to+the+other&sb=",
    { kind: "message", message: "Proceed to the other" },
  ],
])("%s", (_what, hash, arrival) => {
  expect(readLinkToken(hash)).toEqual(arrival);
});
