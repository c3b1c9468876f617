import { z } from "zod";
import { validationFailed } from "../errors.ts";

const emailFormat = z.email({ pattern: z.regexes.html5Email });
const LONGEST_EMAIL = 255;

/** Returns an e-mail address as it is stored, in lower case. Fails with a 400. */
export function requireEmail(given: string): string {
  if (given === "") throw validationFailed("An email address is required");
  if (given.length > LONGEST_EMAIL) throw validationFailed("An email address is too long");
  if (!emailFormat.safeParse(given).success) throw validationFailed("Unable to validate email address: invalid format");
  return given.toLowerCase();
}

/** Returns a phone number as it is stored: digits with the country code, without "+". Fails with a 400. */
export function requirePhone(given: string): string {
  const digits = storedPhone(given);
  if (!/^[1-9]\d{1,14}$/.test(digits)) throw validationFailed("Invalid phone number format (E.164 required)");
  return digits;
}

/** Brings a phone number into its stored form without judging it. */
export function storedPhone(given: string): string {
  return given.replace(/^\+/, "").replaceAll(" ", "");
}
