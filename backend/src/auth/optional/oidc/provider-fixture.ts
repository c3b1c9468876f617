import { createServer } from "node:http";
import * as jose from "jose";
import { Provider, type Context } from "oidc-provider";
import { listen } from "./issuer-fixture.ts";

export const CLIENT_ID = "larkfell";
export const CLIENT_SECRET = "the client's secret at the provider";

/** A certified OpenID Connect provider on loopback; the person named by `login_hint` signs in. */
export interface TestProvider {
  url: string;
  /** The provider's claims about each person, by subject. */
  people: Map<string, Record<string, unknown>>;
  /** Follows the provider's pages as a browser does; returns the address that it redirects to at the end. */
  walk(start: string): Promise<URL>;
  close(): Promise<void>;
}

/** The subject of a person who refuses the request. */
export const UNWILLING = "unwilling";

/** Opens a provider that redirects to `redirectUri` after a sign-in. */
export async function openProvider(redirectUri: string): Promise<TestProvider> {
  const people = new Map<string, Record<string, unknown>>();
  const server = createServer((request, response) => void handle(request, response));
  const url = await listen(server);
  const { privateKey } = await jose.generateKeyPair("RS256", { extractable: true });
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_context: Context, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
    interactions: { url: (_context: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ["the cookies' key"] },
    jwks: { keys: [{ ...(await jose.exportJWK(privateKey)), kid: "provider", use: "sig", alg: "RS256" }] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    async loadExistingGrant({ oidc }: Context) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();

  async function handle(...[request, response]: Parameters<typeof answer>): Promise<void> {
    if (!request.url?.startsWith("/interaction/")) return answer(request, response);
    const { params } = await provider.interactionDetails(request, response);
    const refusal = { error: "access_denied", error_description: "Not today" };
    const result = params.login_hint === UNWILLING ? refusal : { login: { accountId: params.login_hint } };
    return provider.interactionFinished(request, response, result);
  }

  async function walk(start: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let at = new URL(start);
    while (at.origin === url) {
      const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(at, { redirect: "manual", headers: { cookie } });
      const body = await response.text();
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const next = response.headers.get("location");
      if (next === null) throw new Error(`The provider stopped at ${at.pathname} with ${response.status}: ${body.slice(0, 500)}`);
      at = new URL(next, at);
    }
    return at;
  }

  return {
    url,
    people,
    walk,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
