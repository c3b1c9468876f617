import type { Call } from "./context.ts";
import { phoneEnabled } from "./codes/send-code.ts";
import { AuthError } from "./errors.ts";
import { json } from "./responses.ts";

/** `GET health`: reports that this process answers, with the name that clients expect. */
export async function health(): Promise<Response> {
  return json({ version: "v2", name: "GoTrue", description: "An auth API compatible with that of Supabase" });
}

/** `GET .well-known/jwks.json`: the public keys of access tokens. */
export async function keySet({ auth }: Call): Promise<Response> {
  return json(auth.jwt.publicKeys(), { headers: { "Cache-Control": "public, max-age=600" } });
}

/** The providers that `GET settings` of a hosted project lists. */
const PROVIDERS = [
  "apple",
  "azure",
  "bitbucket",
  "discord",
  "facebook",
  "figma",
  "fly",
  "github",
  "gitlab",
  "google",
  "kakao",
  "keycloak",
  "linkedin",
  "linkedin_oidc",
  "notion",
  "slack",
  "slack_oidc",
  "spotify",
  "twitch",
  "twitter",
  "workos",
  "zoom",
];

/** `GET settings`: the ways to sign in that are enabled. */
export async function getSettings({ auth }: Call): Promise<Response> {
  const { settings } = auth;
  return json({
    external: {
      ...Object.fromEntries(PROVIDERS.map((name) => [name, false])),
      ...auth.providers.switches(),
      anonymous_users: settings.enable_anonymous_sign_ins,
      email: settings.email.enable_signup,
      phone: phoneEnabled(auth),
    },
    disable_signup: !settings.enable_signup,
    mailer_autoconfirm: !settings.email.enable_confirmations,
    phone_autoconfirm: !settings.sms.enable_confirmations,
    sms_provider: auth.sms ? "hook" : "",
    saml_enabled: settings.sso.enabled,
  });
}

/** Answers for passkeys, which are not supported. */
export async function passkeys(): Promise<Response> {
  throw new AuthError(404, "passkey_disabled", "Passkeys are disabled");
}

/** Answers for features of hosted projects that are not supported: the OAuth server, SCIM and custom providers. */
export async function unsupportedFeature(): Promise<Response> {
  throw new AuthError(404, "feature_disabled", "This feature is not available");
}
