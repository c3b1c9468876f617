import pino from "pino";
import { startAuth } from "../backend/src/auth/fixture.ts";
import { migratePlatform } from "../backend/src/db/migrate/migrate.ts";
import { openPostgres } from "../backend/src/db/postgres/postgres.ts";
import { startPostgresServer } from "../backend/test/postgres/server.ts";
import { median, spread } from "./load.ts";

// Twenty concurrent refreshes from one client address, as of an office behind one router, compared with twenty addresses, on Postgres.

const BAR = 2;
const CLIENTS = 20;
const ROUNDS = 15;

const server = await startPostgresServer({ durable: true });
if (server) await measure(server.url("postgres"));
else console.log("  skipped: no PostgreSQL server can run here");
await server?.remove();

async function measure(url: string): Promise<void> {
  const log = pino({ level: "silent" });
  const database = await openPostgres({ url, poolSize: 10, log });
  await migratePlatform(database, log);
  const api = await startAuth(database);
  const sessions = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => api.signIn(`office-${n}@larkfell-training.example`)));
  let tokens = sessions.map(({ refresh_token: token }) => token);

  /** Milliseconds until all refreshes are answered. */
  async function refreshAll(from?: string): Promise<number> {
    await api.sql("delete from auth.rate_limits");
    const started = performance.now();
    const answers = await Promise.all(
      tokens.map((token) =>
        api.send("POST", "/token?grant_type=refresh_token", { body: { refresh_token: token }, ...(from !== undefined && { from }) }),
      ),
    );
    const ms = performance.now() - started;
    tokens = answers.map(({ body }) => String(body["refresh_token"]));
    return ms;
  }

  for (let round = 0; round < 5; round += 1) await refreshAll();
  const rounds: { one: number; many: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ one: await refreshAll("192.0.2.1"), many: await refreshAll() });
  const [one, many] = [median(rounds.map((round) => round.one)), median(rounds.map((round) => round.many))];
  console.log(
    `  ${CLIENTS} refreshes at once from one client address: ${spread(rounds.map((round) => round.one / round.many))} of the time from ` +
      `${CLIENTS} addresses (bar ${BAR}; ${one.toFixed(0)} ms against ${many.toFixed(0)} ms)`,
  );
  await api.close();
  await database.close();
}
