import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { prepareDataDirectory } from "../../../test/database.ts";
import { SHORT_LIVED, startServer } from "../../../test/server-process.ts";
import { TEMPORARY_FILES } from "../../../test/temporary-files.ts";

const PACKAGES =
  "@node-saml|@xmldom|xml-crypto|xml2js|openid-client|standardwebhooks|nodemailer|@aws-sdk/client-s3|@aws-sdk/lib-storage|@tus/server|sharp|file-type";
const OPTIONAL = new RegExp(`node_modules/(${PACKAGES})/|/auth/optional/(saml|oidc)/`);
const HEADERS = { apikey: "sb_publishable_optional-modules", "content-type": "application/json" };

test("the default configuration loads no optional module, and its endpoints answer that they are disabled", async () => {
  const directory = await mkdtemp(join(TEMPORARY_FILES, "optional-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await mkdir(join(directory, "supabase"));
  await writeFile(join(directory, "supabase", "config.toml"), 'project_id = "default"\n');
  const DATA_DIR = join(directory, "data");
  prepareDataDirectory(DATA_DIR);
  await using server = await startServer(
    "server/backend.ts",
    { DATA_DIR, START_FRESH: "secrets", SUPABASE_DIR: join(directory, "supabase"), PUBLISHABLE_KEY: HEADERS.apikey },
    { flags: [...SHORT_LIVED, "--import", "./backend/test/print-loaded-modules.ts"] },
  );
  const requests: [method: string, path: string, code: string][] = [
    ["POST", "/sso", "saml_provider_disabled"],
    ["GET", "/sso/saml/metadata", "saml_provider_disabled"],
    ["POST", "/sso/saml/acs", "saml_provider_disabled"],
    ["GET", "/authorize?provider=google", "validation_failed"],
    ["POST", "/token?grant_type=id_token", "provider_disabled"],
    ["POST", "/otp", "phone_provider_disabled"],
  ];
  for (const [method, path, code] of requests) {
    const body = method === "POST" ? { body: JSON.stringify({ provider: "google", phone: "+441632960001" }) } : {};
    const response = await fetch(`${server.url}/auth/v1${path}`, { method, headers: HEADERS, ...body });
    expect([path, await response.json()]).toMatchObject([path, { error_code: code }]);
  }
  const callback = await fetch(`${server.url}/auth/v1/callback?state=none`, { headers: HEADERS, redirect: "manual" });
  expect(callback.headers.get("location")).toContain("bad_oauth_state");

  const loaded = server.output().match(/(?<=^loaded ).+$/gm) ?? [];
  expect(loaded.filter((url) => url.includes("/node_modules/jose/"))).not.toEqual([]);
  expect(loaded.filter((url) => OPTIONAL.test(url))).toEqual([]);
});
