import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../database.ts";
import { openRestFixture, type RestFixture } from "./rest-fixture.ts";

describeDatabases("a long statement", (open, kind) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
    await rest.database.transaction((tx) =>
      tx.script("create function nap(seconds float8) returns void language sql as $$ select pg_sleep(seconds) $$; notify pgrst"),
    );
  });

  test.skipIf(kind === "pglite")("is cancelled when its request is aborted", async () => {
    const response = await rest.raw("/rpc/nap?seconds=300", { signal: AbortSignal.timeout(100) });
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 499, body: { code: "57014" } });
  });

  test.skipIf(kind === "pglite")("of an anonymous caller is cancelled after three seconds", async () => {
    expect(await rest.anon.rpc("nap", { seconds: 300 })).toMatchObject({ status: 500, error: { code: "57014" } });
  });
});
