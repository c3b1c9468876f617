/** Returns random bytes in hexadecimal. `crypto.randomUUID` would fail on pages without TLS. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
