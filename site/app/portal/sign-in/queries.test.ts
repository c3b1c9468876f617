import { expect, test } from "vitest";
import { loginMessage } from "./queries.ts";

test.each([
  ["Invalid login credentials", "Invalid login credentials"],
  ["", "Login failed. Please check your credentials."],
  ["{}", "Login failed. Please check your credentials."],
])("a sign-in refused with %j says %j", (service, shown) => {
  expect(loginMessage(service)).toBe(shown);
});
