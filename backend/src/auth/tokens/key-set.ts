import type { Call } from "../context.ts";
import { json } from "../responses.ts";

/** `GET .well-known/jwks.json`: the keys access tokens verify with. */
export async function keySet({ auth }: Call): Promise<Response> {
  return json(auth.jwt.publicKeys(), { headers: { "Cache-Control": "public, max-age=600" } });
}
