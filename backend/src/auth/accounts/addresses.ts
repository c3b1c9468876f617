import { z } from "zod";
import { text } from "../body-fields.ts";
import { validationFailed } from "../errors.ts";

/** An email address or a phone number, in its stored form, that an account signs in with. */
export interface Address {
  channel: "email" | "phone";
  value: string;
}

/** The fields of a body that contain an address. */
export const addressFields = { email: text, phone: text };

/** Reads exactly one address. Fails with a 400; `none` and `both` are its messages. */
export function readAddress(given: { email: string; phone: string }, { none, both }: { none: string; both: string }): Address {
  if (given.email !== "" && given.phone !== "") throw validationFailed(both);
  if (given.email !== "") return { channel: "email", value: requireEmail(given.email) };
  if (given.phone !== "") return { channel: "phone", value: requirePhone(given.phone) };
  throw validationFailed(none);
}

/** The syntax of an email address as in HTML. */
export const emailFormat = z.email({ pattern: z.regexes.html5Email });
const MAX_EMAIL_LENGTH = 255;

/** Returns an email address in its stored form, lower case. Fails with a 400. */
export function requireEmail(given: string): string {
  if (given === "") throw validationFailed("An email address is required");
  if (given.length > MAX_EMAIL_LENGTH) throw validationFailed("An email address is too long");
  if (!emailFormat.safeParse(given).success) throw validationFailed("Unable to validate email address: invalid format");
  return given.toLowerCase();
}

/** Returns a phone number in its stored form: digits with the country code, without "+". Fails with a 400. */
export function requirePhone(given: string): string {
  const digits = storedPhone(given);
  if (!/^[1-9]\d{1,14}$/.test(digits)) throw validationFailed("Invalid phone number format (E.164 required)");
  return digits;
}

/** Converts a phone number to its stored form without validation. */
export function storedPhone(given: string): string {
  return given.replace(/^\+/, "").replaceAll(" ", "");
}

/** Returns the address to which an account gets codes. */
export function addressOf({ email, phone }: { email: string | null; phone: string | null }): Address {
  return email ? { channel: "email", value: email } : { channel: "phone", value: phone ?? "" };
}

/** Returns the columns of `auth.users` that store an address. */
export function columnsOf({ channel, value }: Address): { email?: string; phone?: string } {
  return channel === "email" ? { email: value } : { phone: value };
}
