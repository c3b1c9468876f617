import type { AuthContext } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";

const MAX_BYTES = 72;

/** The reasons why a password is weak, in the form of the API. */
export interface Weakness {
  message: string;
  reasons: string[];
}

/** Checks a password against the configured policy; returns null for a strong one. */
export function weaknessOf(password: string, settings: AuthContext["settings"]): Weakness | null {
  const shortest = settings.minimum_password_length;
  const classes = CLASSES[settings.password_requirements];
  const short = Array.from(password).length < shortest;
  const poor = !classes.every((characters) => Array.from(characters).some((character) => password.includes(character)));
  if (!short && !poor) return null;
  const messages = [
    ...(short ? [`Password should be at least ${shortest} characters.`] : []),
    ...(poor ? [`Password should contain at least one character of each: ${classes.join(", ")}.`] : []),
  ];
  return { message: messages.join(" "), reasons: [...(short ? ["length"] : []), ...(poor ? ["characters"] : [])] };
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const SYMBOLS = "!@#$%^&*()_+-=[]{};'\\:\"|<>?,./`~";

/** The character classes of each value of `password_requirements`. */
const CLASSES: Readonly<Record<AuthContext["settings"]["password_requirements"], readonly string[]>> = {
  "": [],
  letters_digits: [`${LOWER}${UPPER}`, DIGITS],
  lower_upper_letters_digits: [LOWER, UPPER, DIGITS],
  lower_upper_letters_digits_symbols: [LOWER, UPPER, DIGITS, SYMBOLS],
};

/** Fails for a password that is too long (400) or too weak (422). */
export function requireStrongPassword(password: string, settings: AuthContext["settings"]): void {
  requireStorablePassword(password);
  const weakness = weaknessOf(password, settings);
  if (weakness) throw new AuthError(422, "weak_password", weakness.message, { weakPassword: weakness.reasons });
}

/** Fails for a password over 72 bytes, which bcrypt, the hash of hosted projects, would truncate. */
export function requireStorablePassword(password: string): void {
  if (Buffer.byteLength(password) > MAX_BYTES) throw validationFailed("Password cannot be longer than 72 characters");
}
