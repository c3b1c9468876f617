import { describe, expect, test } from "vitest";
import { backendEnvironment, EnvironmentError, processEnvironment, readEnvironment } from "./environment.ts";

describe("the environment", () => {
  test("may be empty", () => {
    expect(readEnvironment(processEnvironment, {})).toEqual({
      PORT: 3000,
      HOST: "127.0.0.1",
      TRUST_PROXY: 0,
      DRAIN_SECONDS: 0,
      LOG_LEVEL: "info",
    });
    expect(readEnvironment(backendEnvironment, {})).toEqual({
      DATA_DIR: "./data",
      SUPABASE_DIR: "./supabase",
      STORAGE_SWEEP: "on",
    });
  });

  test("treats an empty value, as in .env.example, as absent", () => {
    expect(readEnvironment(backendEnvironment, { DATABASE_URL: "", STAFF_EMAIL: "" })).toEqual({
      DATA_DIR: "./data",
      SUPABASE_DIR: "./supabase",
      STORAGE_SWEEP: "on",
    });
  });

  test.each([
    ["PORT", "harbour"],
    ["PORT", "70000"],
    ["SITE_URL", "larkfell"],
    ["LOG_LEVEL", "loud"],
    ["TRUST_PROXY", "some"],
  ])("refuses %s=%s with the name of the variable, without the value", (name, value) => {
    const refused = (): unknown => readEnvironment(processEnvironment, { [name]: value });
    expect(refused).toThrow(EnvironmentError);
    expect(refused).toThrow(name);
    expect(refused).not.toThrow(value);
  });

  test.each([
    ["DATABASE_URL", "mysql://host/name"],
    ["DATABASE_POOL_SIZE", "none"],
    ["JWT_SECRET", "short"],
    ["PUBLISHABLE_KEY", "eyJhbGciOiJIUzI1NiJ9"],
    ["STAFF_PASSWORD", "a password without an e-mail"],
    ["SMTP_URL", "https://mail.larkfell.example"],
    ["MAIL_FROM", "the office"],
    ["MAIL_FROM", "Office\r\nBcc: <a@b.example>"],
    ["SMS_HOOK_URL", "ftp://sms.larkfell.example"],
    ["SMS_HOOK_SECRET", "a secret of another form"],
    ["S3_BUCKET", "files-without-keys"],
    ["BACKUP_DIR", "s3://backups-without-keys/site"],
    ["S3_ACCESS_KEY_ID", "half-a-key"],
  ])("refuses %s=%s with the name of the variable, without the value", (name, value) => {
    const refused = (): unknown => readEnvironment(backendEnvironment, { [name]: value });
    expect(refused).toThrow(name);
    expect(refused).not.toThrow(value);
  });

  test("takes a mail server, its sender and a hook for text messages", () => {
    const given = {
      SMTP_URL: "smtps://user:p%40ss@mail.larkfell.example",
      MAIL_FROM: "Larkfell <office@larkfell.example>",
      SMS_HOOK_URL: "https://sms.larkfell.example/send",
      SMS_HOOK_SECRET: `v1,whsec_${Buffer.from("a secret long enough for this").toString("base64")}`,
    };
    expect(readEnvironment(backendEnvironment, given)).toMatchObject(given);
    expect(() => readEnvironment(backendEnvironment, { ...given, SMS_HOOK_SECRET: "" })).toThrow("SMS_HOOK_SECRET");
  });

  test.each([
    ["true", 1],
    ["false", 0],
    ["2", 2],
  ])("reads TRUST_PROXY=%s as %i proxies", (value, proxies) => {
    expect(readEnvironment(processEnvironment, { TRUST_PROXY: value }).TRUST_PROXY).toBe(proxies);
  });
});
