const HOST = /^(?=.{1,100}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** The kind of device a browser says it runs on. */
export function deviceOf({ headers }: Request): "phone" | "tablet" | "computer" {
  const agent = headers.get("user-agent") ?? "";
  if (/iPad|Tablet|Android(?!.*Mobile)/i.test(agent)) return "tablet";
  return headers.get("sec-ch-ua-mobile") === "?1" || /Mobi/i.test(agent) ? "phone" : "computer";
}

/** The host of the page that led here; undefined without one, and where it is our own. */
export function referrerHost(referrer: string | undefined, { headers, url }: Request): string | undefined {
  if (referrer === undefined || !URL.canParse(referrer)) return undefined;
  const { protocol, host, hostname } = new URL(referrer);
  const own = [headers.get("origin"), url].flatMap((address) => (address !== null && URL.canParse(address) ? [new URL(address).host] : []));
  if (!/^https?:$/.test(protocol) || own.includes(host)) return undefined;
  const name = hostname.replace(/^www\./, "");
  return HOST.test(name) ? name : undefined;
}

/** The part of a client's address that it cannot change at will: IPv4 whole, of IPv6 the first 64 bits. */
export function clientNetwork({ headers }: Request): string | undefined {
  const address = headers.get("x-forwarded-for")?.split(",")[0]?.trim().slice(0, 64) ?? "";
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain === "" ? undefined : plain;
  const [front = [], back = []] = plain.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return [...front, ...zeros, ...back].slice(0, 4).join(":");
}
