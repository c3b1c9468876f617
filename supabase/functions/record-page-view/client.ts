const HOST = /^(?=.{1,100}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** The kind of device, from the User-Agent and client hints. */
export function deviceOf({ headers }: Request): "phone" | "tablet" | "computer" {
  const agent = headers.get("user-agent") ?? "";
  if (/iPad|Tablet|Android(?!.*Mobile)/i.test(agent)) return "tablet";
  return headers.get("sec-ch-ua-mobile") === "?1" || /Mobi/i.test(agent) ? "phone" : "computer";
}

/** The host of the page with the link that the visitor followed; undefined without one and for our own pages. */
export function referrerHost(referrer: string | undefined, { headers, url }: Request): string | undefined {
  if (referrer === undefined || !URL.canParse(referrer)) return undefined;
  const { protocol, host, hostname } = new URL(referrer);
  const own = [headers.get("origin"), url].flatMap((address) => (address !== null && URL.canParse(address) ? [new URL(address).host] : []));
  if (!/^https?:$/.test(protocol) || own.includes(host)) return undefined;
  const name = hostname.replace(/^www\./, "");
  return HOST.test(name) ? name : undefined;
}
