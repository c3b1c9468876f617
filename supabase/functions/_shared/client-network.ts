import { clientNetwork as networkOf } from "../../../backend/src/client-network.ts";

/** The client network of the request, for rate limits; undefined without an address. */
export function clientNetwork({ headers }: Request): string | undefined {
  const address = headers.get("x-forwarded-for")?.split(",")[0]?.trim();
  return address ? networkOf(address) : undefined;
}
