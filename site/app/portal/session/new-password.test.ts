import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkNewPassword, SHORTEST_PASSWORD } from "./new-password.ts";

function check(password: string, repeat = password): ReturnType<typeof checkNewPassword> {
  const form = new FormData();
  form.set("password", password);
  form.set("repeat", repeat);
  return checkNewPassword(form);
}

test("a password that is entered twice is accepted unchanged, with its spaces", () => {
  expect(check(" a long walk ")).toEqual({ ok: true, value: " a long walk " });
});

test.each([
  ["nine characters", "too short", "too short", "password"],
  ["more bytes than can be stored", "é".repeat(37), "é".repeat(37), "password"],
  ["another one the second time", "a long walk", "a long walks", "repeat"],
])("%s: refused, and the field is named", (_what, password, repeat, field) => {
  expect(check(password, repeat)).toMatchObject({ ok: false, field });
});

test("the shortest password is the one of the service", () => {
  const config = readFileSync(new URL("../../../../supabase/config.toml", import.meta.url), "utf8");
  expect(config).toContain(`minimum_password_length = ${SHORTEST_PASSWORD}`);
});
