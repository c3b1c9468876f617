import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { readJson } from "../../body/read-json.ts";
import { audit } from "../audit.ts";
import { metadata, text } from "../body-fields.ts";
import { challengeFields, readChallenge, type CodeChallenge } from "../codes/flow-state.ts";
import { deliverCode, issueCode, phoneEnabled, requireChannel } from "../codes/send-code.ts";
import { AUDIENCE, type Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { limitMessage, limitRequest } from "../limits.ts";
import { withMinimumDuration } from "../minimum-duration.ts";
import { json } from "../responses.ts";
import { openSession, type AuthenticationMethod } from "../tokens/sessions.ts";
import { tokenResponse } from "../tokens/token-response.ts";
import { columnsOf, requireEmail, requirePhone, type Address } from "./addresses.ts";
import { requireStrongPassword } from "./password-policy.ts";
import { insertUser, type NewUser } from "./user-changes.ts";
import { findUserByAddress, findUserById, userJson, type User } from "./users.ts";

const bodySchema = z.object({ email: text, phone: text, password: text, data: metadata, channel: text, ...challengeFields });

type Body = z.infer<typeof bodySchema>;

/** `POST signup`: creates an account with an address and a password, or an anonymous account, if config.toml allows it. */
export async function signup(call: Call): Promise<Response> {
  const { settings } = call.auth;
  const body = await readJson(call.request, bodySchema);
  const { email, phone, password } = body;
  const anonymous = email === "" && phone === "";
  if (anonymous && !settings.enable_anonymous_sign_ins)
    throw new AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled");
  if (!settings.enable_signup) throw new AuthError(422, "signup_disabled", "Signups not allowed for this instance");
  if (anonymous) {
    await limitRequest(call, "anonymous");
    return createAndSignIn(call, { passwordHash: null, userMetadata: body.data, isAnonymous: true }, "anonymous");
  }
  if (password === "") throw validationFailed("Signup requires a valid password");
  if (email !== "" && phone !== "") throw validationFailed("Only an email address or phone number should be provided on signup.");
  return signUpWithAddress(call, body);
}

async function signUpWithAddress(call: Call, body: Body): Promise<Response> {
  const { settings, passwords } = call.auth;
  const address = requireAddress(call, body);
  const byEmail = address.channel === "email";
  const challenge = readChallenge(body);
  if (challenge && !byEmail) throw validationFailed("PKCE not supported for phone signups");
  requireStrongPassword(body.password, settings);
  const confirmed = !settings[byEmail ? "email" : "sms"].enable_confirmations;
  const id = crypto.randomUUID();
  const [emailConfirmed, phoneConfirmed] = [byEmail && confirmed, !byEmail && confirmed];
  const account: NewUser = {
    id,
    ...columnsOf(address),
    passwordHash: await passwords.hash(body.password),
    emailConfirmed,
    phoneConfirmed,
    // Hosted projects store the identity data in the account too.
    userMetadata: { ...body.data, sub: id, ...columnsOf(address), email_verified: emailConfirmed, phone_verified: phoneConfirmed },
    identityData: body.data,
  };
  return confirmed ? createAndSignIn(call, account, "password") : requestConfirmation(call, address, account, challenge);
}

/** Reads the address of a sign-up, if its channel is enabled. */
function requireAddress({ auth }: Call, { email, phone, channel }: Body): Address {
  if (email !== "") {
    if (!auth.settings.email.enable_signup) throw new AuthError(400, "email_provider_disabled", "Email signups are disabled");
    return { channel: "email", value: requireEmail(email) };
  }
  if (!phoneEnabled(auth)) throw new AuthError(400, "phone_provider_disabled", "Phone signups are disabled");
  const value = requirePhone(phone);
  requireChannel(channel);
  return { channel: "phone", value };
}

const ADDRESS_TAKEN = new Set(["email_exists", "phone_exists"]);

async function createAndSignIn(call: Call, account: NewUser, method: AuthenticationMethod): Promise<Response> {
  const grant = await call.auth.database.transaction(async (tx) => {
    const user = await insertUser(tx, account).catch((error: unknown) => {
      if (error instanceof AuthError && ADDRESS_TAKEN.has(error.code))
        throw new AuthError(422, "user_already_exists", "User already registered");
      throw error;
    });
    await audit(tx, call, "user_signedup", user);
    return openSession(tx, call, user.id, method);
  });
  return tokenResponse(call.auth, grant);
}

/** Creates an unconfirmed account and sends it a code. A confirmed account is neither changed nor sent anything (decision 032). */
async function requestConfirmation(
  call: Call,
  address: Address,
  account: NewUser,
  challenge: CodeChallenge | undefined,
): Promise<Response> {
  const { auth } = call;
  return withMinimumDuration(auth, async () => {
    const known = await auth.database.transaction((tx) => findUserByAddress(tx, address), { readOnly: true });
    await limitMessage(auth, address, { purpose: "signup", sent: !isConfirmed(known, address), client: call.address });
    const issued = await auth.database.transaction(async (tx) => {
      const user = await unconfirmedAccount(tx, call, address, account);
      if (!user) return undefined;
      const message = await issueCode(tx, call, { user, address, purpose: "signup", challenge });
      return { message, user: await findUserById(tx, user.id) };
    });
    await deliverCode(auth, issued?.message ?? null);
    return json(issued?.user ? userJson(issued.user) : obfuscatedUser(address, account));
  });
}

function isConfirmed(user: User | undefined, { channel }: Address): boolean {
  return Boolean(user?.[channel === "email" ? "email_confirmed_at" : "phone_confirmed_at"]);
}

/** Finds or creates the unconfirmed account of an address; undefined if the address belongs to a confirmed account. */
async function unconfirmedAccount(tx: Transaction, call: Call, address: Address, account: NewUser): Promise<User | undefined> {
  const present = await findUserByAddress(tx, address);
  if (isConfirmed(present, address)) return undefined;
  const user = present ?? (await insertUser(tx, account));
  await audit(tx, call, present ? "user_confirmation_requested" : "user_signedup", user);
  return user;
}

/** Returns GoTrue's response for an address that is in use: an account that does not exist, without a role and identities. */
function obfuscatedUser(address: Address, account: NewUser): Record<string, unknown> {
  const now = new Date().toISOString();
  return {
    id: crypto.randomUUID(),
    aud: AUDIENCE,
    role: "",
    email: account.email ?? "",
    phone: account.phone ?? "",
    confirmation_sent_at: now,
    app_metadata: { provider: address.channel, providers: [address.channel] },
    user_metadata: account.identityData ?? {},
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
