import { expect, test } from "vitest";
import { mailSender } from "./mail-sender.ts";
import { provider } from "./provider.ts";

test.each([
  [undefined, `"${provider.name}" <${provider.email}>`],
  ["office@larkfell.example", `"${provider.name}" <office@larkfell.example>`],
  ["The office <office@larkfell.example>", "The office <office@larkfell.example>"],
])("mail with MAIL_FROM %s is from %s", (mailFrom, sender) => {
  expect(mailSender(mailFrom)).toBe(sender);
});
