import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Config, readConfig } from "./config.ts";
import { ConfigError } from "./error.ts";
import { generateSigningKey } from "../jwt/jwt.ts";

describe("config.toml", () => {
  let root: string;
  const logged: string[] = [];
  const log = pino({}, { write: (line) => void logged.push(line) });

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "larkfell-config-"));
    await mkdir(join(root, "supabase"));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  async function read(text: string, env: Record<string, string> = {}): Promise<Config> {
    await writeFile(join(root, "supabase", "config.toml"), text);
    logged.length = 0;
    return readConfig(join(root, "supabase"), { log, env });
  }

  test("may be empty, which gives the platform's default values", async () => {
    const { auth } = await read("");
    expect(auth).toMatchObject({ enable_signup: true, jwt_expiry: 3600, password_requirements: "", additional_redirect_urls: [] });
    expect(auth.email).toMatchObject({ enable_confirmations: false, double_confirm_changes: true, otp_length: 6, otp_expiry: 3600 });
    expect(auth.email).toMatchObject({ max_frequency: 60, smtp: { enabled: false } });
    expect(auth.sms).toMatchObject({ enable_signup: false, otp_expiry: 60 });
    expect(auth.sessions).toEqual({ timebox: 0, inactivity_timeout: 0 });
    expect(auth.rate_limit).toMatchObject({ token_refresh: 150, sign_in_sign_ups: 30, email_sent: 30 });
    expect(logged).toEqual([]);
  });

  test("reads durations in Go's format", async () => {
    const { auth } = await read('[auth.sessions]\ntimebox = "24h"\ninactivity_timeout = "1h30m"\n[auth.email]\nmax_frequency = "1m0.5s"');
    expect(auth.sessions).toEqual({ timebox: 86_400, inactivity_timeout: 5400 });
    expect(auth.email.max_frequency).toBe(60.5);
  });

  test("takes values, including numbers and booleans, from the environment, and ignores unset variables", async () => {
    const text = `[auth]\nsite_url = "env(SITE)"\njwt_expiry = "env(EXPIRY)"
      [auth.email.smtp]\nenabled = "env(MAIL)"\nhost = "mail.larkfell.example"\nport = "env(PORT)"\nuser = "env(NOBODY)"\npass = "env(PASS)"\nadmin_email = "a@larkfell.example"`;
    const { auth } = await read(text, { SITE: "https://larkfell.example", EXPIRY: "600", MAIL: "true", PORT: "2525", PASS: "12345" });
    expect(auth).toMatchObject({ site_url: "https://larkfell.example", jwt_expiry: 600 });
    expect(auth.email.smtp).toMatchObject({ enabled: true, port: 2525, user: "", pass: "12345" });
  });

  test("reads the templates and signing keys that it names from supabase/ or the project's root", async () => {
    const key = await generateSigningKey();
    await writeFile(join(root, "supabase", "keys.json"), JSON.stringify([key]));
    await writeFile(join(root, "supabase", "invite.html"), "<p>Come in</p>");
    await writeFile(join(root, "recovery.html"), "<p>Lost?</p>");
    const { auth } = await read(`[auth]\nsigning_keys_path = "./keys.json"
      [auth.email.template.invite]\nsubject = "Come in"\ncontent_path = "./supabase/invite.html"
      [auth.email.template.recovery]\ncontent_path = "./recovery.html"`);
    expect(auth.signing_keys?.[0]?.kid).toBe(key.kid);
    expect(auth.email.template.invite).toMatchObject({ subject: "Come in", content: "<p>Come in</p>" });
    expect(auth.email.template.recovery?.content).toBe("<p>Lost?</p>");
  });

  test("warns of unknown keys, except those for the CLI's containers", async () => {
    await read(
      "[studio]\nport = 1\n[api]\nport = 2\n[db]\nmajor_version = 17\n[auth]\nenable_sign_up = true\n[auth.captcha]\nenabled = true",
    );
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? "")).toMatchObject({ level: 40, keys: ["auth.enable_sign_up", "auth.captcha"] });
  });

  test("does not warn of unknown sections that are switched off", async () => {
    await read(
      "[auth.third_party.firebase]\nenabled = false\n[auth.third_party.auth0]\nenabled = false\n[auth.sms.twilio]\nenabled = false\nauth_token = 'x'",
    );
    expect(logged).toEqual([]);
  });

  test("warns that automatic exposure of new tables is not supported", async () => {
    await read("[api]\nauto_expose_new_tables = false");
    expect(logged).toEqual([]);
    await read("[api]\nauto_expose_new_tables = true");
    expect(JSON.parse(logged[0] ?? "")).toMatchObject({ level: 40, keys: ["api.auto_expose_new_tables"] });
  });

  const refused: [input: string, text: string, named: string][] = [
    ["text instead of a boolean", '[auth]\nenable_signup = "yes"', "auth.enable_signup"],
    ["a site URL without a scheme", '[auth]\nsite_url = "larkfell.example"', "auth.site_url"],
    ["a duration without a unit", '[auth.sessions]\ntimebox = "24"', "auth.sessions.timebox"],
    ["a negative duration", '[auth.email]\nmax_frequency = "-1s"', "auth.email.max_frequency"],
    ["a short code", "[auth.email]\notp_length = 4", "auth.email.otp_length"],
    ["an unknown requirement", '[auth]\npassword_requirements = "hard"', "auth.password_requirements"],
    ["a mail server without a host", '[auth.email.smtp]\nenabled = true\nport = 25\nadmin_email = "a@b.example"', "auth.email.smtp.host"],
    ["a provider without a client", "[auth.external.google]\nenabled = true", "auth.external.google.client_id"],
    ["a provider with an invalid URL", '[auth.external.keycloak]\nurl = "keycloak"', "auth.external.keycloak.url"],
    ["a message without the code", '[auth.mfa.phone]\ntemplate = "Hello"', "auth.mfa.phone.template"],
    ["a hook without a secret", '[auth.hook.send_sms]\nenabled = true\nuri = "https://a.example"', "auth.hook.send_sms.secrets"],
    ["a missing template file", '[auth.email.template.invite]\ncontent_path = "no.html"', "auth.email.template.invite.content_path"],
    ["a missing key file", '[auth]\nsigning_keys_path = "no.json"', "auth.signing_keys_path"],
    ["a rate limit of zero", "[auth.rate_limit]\nemail_sent = 0", "auth.rate_limit.email_sent"],
    ["invalid TOML", "[auth", "config.toml:1"],
  ];
  test.each(refused)("%s is refused with its name", async (_input, text, named) => {
    const failure = await read(text).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect(String(failure)).toContain(named);
  });

  test("a wrong value from the environment names the variable and does not repeat it", async () => {
    const failure = await read('[auth]\nsite_url = "env(SITE)"', { SITE: "secret-value" }).catch((error: unknown) => error);
    expect(String(failure)).toContain("auth.site_url (from SITE)");
    expect(String(failure)).not.toContain("secret-value");
  });

  test("an invalid key file is refused without repeating its content", async () => {
    await writeFile(join(root, "supabase", "keys.json"), '[{"kid":"1","d":"private-part"}]');
    const failure = await read('[auth]\nsigning_keys_path = "keys.json"').catch((error: unknown) => error);
    expect(String(failure)).toContain("auth.signing_keys_path");
    expect(String(failure)).not.toContain("private-part");
  });
});
