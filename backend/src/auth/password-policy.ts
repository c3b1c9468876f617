import type { AuthContext } from "./context.ts";
import { AuthError, validationFailed } from "./errors.ts";

const LONGEST_BYTES = 72;

/** Why a password is weak, as clients are told. */
export interface Weakness {
  message: string;
  reasons: string[];
}

/** Says what is wrong with a password by the configured policy, or null. */
export function weaknessOf(password: string, settings: AuthContext["settings"]): Weakness | null {
  const shortest = settings.minimum_password_length;
  if (Array.from(password).length >= shortest) return null;
  return { message: `Password should be at least ${shortest} characters.`, reasons: ["length"] };
}

/** Refuses a new password that is too long (400) or too weak (422). */
export function requireStrongPassword(password: string, settings: AuthContext["settings"]): void {
  requireStorablePassword(password);
  const weakness = weaknessOf(password, settings);
  if (weakness) throw new AuthError(422, "weak_password", weakness.message, { weakPassword: weakness.reasons });
}

/** Refuses a new password over 72 bytes, which bcrypt, the other hash of hosted projects, would cut. */
export function requireStorablePassword(password: string): void {
  if (Buffer.byteLength(password) > LONGEST_BYTES) throw validationFailed("Password cannot be longer than 72 characters");
}
