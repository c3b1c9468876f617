import { createServer, type Server } from "node:http";
import * as jose from "jose";

/** An OpenID Connect issuer on loopback, with its metadata, its keys and tokens signed with them. */
export interface TestIssuer {
  url: string;
  /** Signs a token with valid claims, of which these are changed; `null` leaves one out. */
  idToken(claims: Record<string, unknown>, header?: Partial<jose.JWTHeaderParameters>, key?: CryptoKey | Uint8Array): Promise<string>;
  close(): Promise<void>;
}

/** Opens a provider whose tokens are for `audience`. */
export async function openIssuer(audience: string): Promise<TestIssuer> {
  const { publicKey, privateKey } = await jose.generateKeyPair("RS256");
  const jwk = { ...(await jose.exportJWK(publicKey)), kid: "signing", alg: "RS256", use: "sig" };
  let url = "";
  const server = createServer((request, response) => {
    const pages: Record<string, unknown> = {
      "/.well-known/openid-configuration": {
        issuer: url,
        jwks_uri: `${url}/keys`,
        authorization_endpoint: `${url}/auth`,
        token_endpoint: `${url}/token`,
      },
      "/keys": { keys: [jwk] },
    };
    const page = pages[request.url ?? ""];
    response.writeHead(page ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(page ?? {}));
  });
  url = await listen(server);
  return {
    url,
    idToken(claims, header = {}, key = privateKey) {
      const now = Math.floor(Date.now() / 1000);
      const all = { iss: url, aud: audience, iat: now, exp: now + 300, ...claims };
      const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
      return new jose.SignJWT(present).setProtectedHeader({ alg: "RS256", kid: "signing", ...header }).sign(key);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Listens on a free port of loopback and returns the origin. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return `http://127.0.0.1:${address.port}`;
}
