import type { Call } from "./context.ts";
import { phoneEnabled } from "./codes/phone-codes.ts";
import { json } from "./responses.ts";

/** The providers clients know of; each is off until it is configured. */
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

/** `GET settings`: what a sign-in page may offer. */
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
