import { describe, expect, test } from "vitest";
import { checkFirstAccount } from "./queries.ts";

const filledIn = { email: "rowan@larkfell.example", password: "a long walk", repeat: "a long walk" };

function check(changes: Partial<typeof filledIn> = {}): ReturnType<typeof checkFirstAccount> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...filledIn, ...changes })) form.set(name, value);
  return checkFirstAccount(form);
}

describe("checkFirstAccount", () => {
  test("accepts an e-mail address and a password that is entered twice, with its spaces", () => {
    expect(check({ password: " a long walk ", repeat: " a long walk " })).toEqual({
      ok: true,
      value: { email: "rowan@larkfell.example", password: " a long walk " },
    });
  });

  test.each<[Partial<typeof filledIn>, string, string]>([
    [{ email: " " }, "email", "no e-mail"],
    [{ password: "too short", repeat: "too short" }, "password", "nine characters"],
    [{ password: "é".repeat(37), repeat: "é".repeat(37) }, "password", "more bytes than can be stored"],
    [{ repeat: "a long walks" }, "repeat", "another password the second time"],
  ])("refuses %j, naming %s: %s", (changes, field) => {
    expect(check(changes)).toMatchObject({ ok: false, field });
  });
});
