import { expect, test } from "vitest";
import { contactHref, whatsAppHref } from "./contact-href.ts";

test.each([
  ["ada@mail.example", "mailto:ada@mail.example"],
  [" ada+fell@mail.example ", "mailto:ada%2Bfell@mail.example"],
  ["ada@mail.example?subject=x", "mailto:ada@mail.example%3Fsubject%3Dx"],
  ["01632 960-001", "tel:01632960001"],
  ["+44 (0)1632 960001", "tel:+441632960001"],
  ["(01632) 960001", "tel:01632960001"],
  ["javascript:alert(1)", null],
  ["ask my sister", null],
])("%j leads to %j", (contact, href) => {
  expect(contactHref(contact)).toBe(href);
});

test.each([
  ["07700 900 142", "https://wa.me/447700900142?text=Hello%20Ada"],
  ["+44 (0)7700 900142", "https://wa.me/447700900142?text=Hello%20Ada"],
  ["01632 960001", null],
  ["+1 202 555 0100", null],
])("the WhatsApp chat with %j is %j", (phone, href) => {
  expect(whatsAppHref(phone, "Hello Ada")).toBe(href);
});
