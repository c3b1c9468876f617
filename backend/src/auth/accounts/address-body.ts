import { text } from "../body-fields.ts";
import { requireEmail, requirePhone } from "./addresses.ts";
import { validationFailed } from "../errors.ts";

/** The fields of a body that name an account by its mailbox or its number. */
export const addressFields = { email: text, phone: text };

/** A mailbox, or a number in its stored form. */
export type Address = { email: string; phone?: undefined } | { phone: string; email?: undefined };

/** Reads exactly one address. Fails with a 400, saying what `none` or `both` says. */
export function readAddress(given: { email: string; phone: string }, refusal: { none: string; both: string }): Address {
  if (given.email !== "" && given.phone !== "") throw validationFailed(refusal.both);
  if (given.email !== "") return { email: requireEmail(given.email) };
  if (given.phone !== "") return { phone: requirePhone(given.phone) };
  throw validationFailed(refusal.none);
}
