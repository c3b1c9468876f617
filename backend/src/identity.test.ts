import { expect, test } from "vitest";
import { IdentityError, type IdentityFailure } from "./errors.ts";
import { createIdentify } from "./identity.ts";
import { createJwtKeys, generateSigningKey } from "./jwt/jwt.ts";

const PUBLISHABLE = "sb_publishable_for-these-tests";
const SECRET = "sb_secret_for-these-tests";

const jwt = await createJwtKeys([await generateSigningKey()], "a shared secret of the legacy kind, long enough");
const identify = createIdentify({ publishableKey: PUBLISHABLE, secretKey: SECRET }, jwt);

const userToken = await jwt.sign({ sub: "somebody", role: "authenticated" });
const anonToken = await jwt.sign({ role: "anon" });

function request(headers: Record<string, string>, query = ""): Request {
  return new Request(`http://localhost/rest/v1/things${query}`, { headers });
}

const known: [given: string, request: Request, role: string, authenticated: boolean][] = [
  ["the publishable key", request({ apikey: PUBLISHABLE }), "anon", false],
  ["the publishable key in the query", request({}, `?apikey=${PUBLISHABLE}`), "anon", false],
  [
    "the publishable key twice, as supabase-js sends it",
    request({ apikey: PUBLISHABLE, authorization: `Bearer ${PUBLISHABLE}` }),
    "anon",
    false,
  ],
  ["the publishable key and a user's token", request({ apikey: PUBLISHABLE, authorization: `Bearer ${userToken}` }), "authenticated", true],
  ["a user's token alone", request({ authorization: `bearer ${userToken}` }), "authenticated", true],
  ["a legacy key of the anon role", request({ apikey: anonToken, authorization: `Bearer ${anonToken}` }), "anon", false],
  ["the secret key", request({ apikey: SECRET }), "service_role", true],
  ["the secret key twice", request({ apikey: SECRET, authorization: `Bearer ${SECRET}` }), "service_role", true],
  ["the secret key and a user's token", request({ apikey: SECRET, authorization: `Bearer ${userToken}` }), "authenticated", true],
  ["the publishable key and an ill-formed header", request({ apikey: PUBLISHABLE, authorization: "Basic abc" }), "anon", false],
];

test.each(known)("with %s the role is found", async (_given, given, role, authenticated) => {
  expect(await identify(given)).toMatchObject({ role, authenticated, claims: { role } });
});

test("all claims of a token are passed on", async () => {
  const { claims } = await identify(request({ authorization: `Bearer ${userToken}` }));
  expect(claims).toEqual({ sub: "somebody", role: "authenticated" });
});

test("a token without a role is anonymous", async () => {
  const given = request({ authorization: `Bearer ${await jwt.sign({ sub: "somebody" })}` });
  expect(await identify(given)).toEqual({ role: "anon", claims: { sub: "somebody", role: "anon" }, authenticated: false });
});

const refused: [given: string, request: Request, reason: IdentityFailure][] = [
  ["nothing", request({}), "missing"],
  ["an ill-formed header alone", request({ authorization: userToken }), "missing"],
  ["a secret key that is one letter off", request({ apikey: `${SECRET}x` }), "unknown_key"],
  ["an unknown key beside a good token", request({ apikey: "sb_publishable_other", authorization: `Bearer ${userToken}` }), "unknown_key"],
  ["an unknown key as token", request({ apikey: PUBLISHABLE, authorization: "Bearer sb_secret_guess" }), "unknown_key"],
  ["text that is not a token", request({ apikey: PUBLISHABLE, authorization: "Bearer abc" }), "malformed"],
  ["an expired token", request({ authorization: `Bearer ${await jwt.sign({ role: "authenticated", exp: 1 })}` }), "expired"],
  ["an empty bearer token", request({ apikey: PUBLISHABLE, authorization: "Bearer " }), "malformed"],
  ["a token whose role is no text", request({ authorization: `Bearer ${await jwt.sign({ role: ["service_role"] })}` }), "claims"],
  ["an empty key", request({ apikey: "" }), "malformed"],
];

test.each(refused)("with %s there is no identity", async (_given, given, reason) => {
  const failure = await identify(given).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(IdentityError);
  expect(failure).toMatchObject({ reason });
});
