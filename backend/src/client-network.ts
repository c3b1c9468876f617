import { isIP, isIPv6 } from "node:net";

/** Returns a client address in the form of Postgres' `inet`, or null if it is not an IP address. */
export function ipAddress(address: string): string | null {
  // A dual-stack socket reports an IPv4 client as ::ffff:192.0.2.1; a zone id has a meaning on one machine only.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*/s, "");
  return isIP(plain) === 0 ? null : plain.toLowerCase();
}

/** Returns the client network that rate limits count: an IPv4 address, or the /64 of an IPv6 address (RFC 6177). */
export function clientNetwork(address: string): string {
  const plain = ipAddress(address);
  if (plain === null || !isIPv6(plain)) return plain ?? address.slice(0, 64);
  const [front = [], back = []] = plain.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return [...front, ...zeros, ...back].slice(0, 4).join(":");
}
