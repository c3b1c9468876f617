/**
 * The part of the client's address that a client cannot choose freely, for rate limits: the IPv4 address, or the first 64 bits of
 * an IPv6 address. Undefined without an address.
 */
export function clientNetwork({ headers }: Request): string | undefined {
  const address = headers.get("x-forwarded-for")?.split(",")[0]?.trim().slice(0, 64) ?? "";
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain === "" ? undefined : plain;
  const [front = [], back = []] = plain.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return [...front, ...zeros, ...back].slice(0, 4).join(":");
}
