import { isIP, isIPv6 } from "node:net";

/** Returns an address in the form Postgres' `inet` reads, or null for what is none. */
export function ipAddress(address: string): string | null {
  // A socket open to both families shows an IPv4 client as ::ffff:192.0.2.1; zone ids mean something on one machine only.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  return isIP(plain) === 0 ? null : plain.toLowerCase();
}

/** Returns the part of an address that one client cannot change at will: IPv4 whole, of IPv6 the first 64 bits. */
export function clientNetwork(address: string): string {
  const plain = ipAddress(address);
  if (plain === null || !isIPv6(plain)) return plain ?? address.slice(0, 64);
  const [front = [], back = []] = plain.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return [...front, ...zeros, ...back].slice(0, 4).join(":");
}
