import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { DatabaseError, type Database } from "../../../src/db/database.ts";
import { describeDatabases } from "../../database.ts";
import { openRealtime, strangersToken, VERSIONS, type Limits, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket } from "./raw-socket.ts";

// The policy fails for a stored message: `authorise` passes a row without an event.
const SCHEMA = `
  create table public.seats (id int primary key, note text);
  grant select on public.seats to authenticated;
  alter publication supabase_realtime add table public.seats;
  create policy "stored fails" on realtime.messages for select to authenticated
    using (realtime.topic() = 'stored' and (event is null or 1 / (length(event) - length(event)) = 0));
  select realtime.send('{}', 'note', 'stored');`;

const past = (): number => Math.floor(Date.now() / 1000) - 60;
const changes = (request: object) => ({
  config: { postgres_changes: [request], postgres_changes_options: { wait: true } },
});

type Join = [topic: string, payload: object];

describeDatabases("a join that is refused", (open) => {
  let database: Database;
  let realtime: RealtimeFixture;
  beforeAll(async () => {
    database = await open({ scripts: [SCHEMA] });
    realtime = await openRealtime(open, {}, database);
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  const as = async (access_token: Promise<string>): Promise<Join> => ["realtime:a", { config: {}, access_token: await access_token }];

  const JOINS: [reason: string, join: () => Promise<Join>][] = [
    ["TopicNameRequired: You must provide a topic name", async () => ["realtime:", {}]],
    ["unmatched topic", async () => ["elsewhere", {}]],
    [String.raw`InvalidJWTToken: Token has expired \d+ seconds ago`, () => as(realtime.token({ exp: past() }))],
    ["InvalidJWTToken: Fields `role` and `exp` are required in JWT", () => as(realtime.token({ exp: undefined }))],
    ["InvalidJWTToken: Fields `role` and `exp` are required in JWT", () => as(realtime.token({ role: undefined }))],
    ["InvalidJWTToken: Session from session_id claim in JWT does not exist", () => as(realtime.token({ session_id: crypto.randomUUID() }))],
    ["MalformedJWT: The token provided is not a valid JWT", () => as(Promise.resolve("no token"))],
    ["JwtSignatureError: Failed to validate JWT signature", () => as(strangersToken())],
    [
      "Unauthorized: You do not have permissions to read from this Channel topic: room",
      async () => ["realtime:room", { config: { private: true } }],
    ],
    [
      "UnableToReplayMessages: Replay is not allowed for public channels",
      async () => ["realtime:a", { config: { broadcast: { replay: { since: 0 } } } }],
    ],
    ...[{}, { since: "yesterday" }, { since: 0, limit: 26 }, { since: 0, limit: 0 }].map((replay): (typeof JOINS)[number] => [
      "UnableToReplayMessages: Replay params are not valid",
      async () => ["realtime:stored", { config: { private: true, broadcast: { replay } }, access_token: await realtime.token() }],
    ]),
    [
      "UnableToReplayMessages: Realtime was unable to replay messages",
      async () => [
        "realtime:stored",
        { config: { private: true, broadcast: { replay: { since: 0 } } }, access_token: await realtime.token() },
      ],
    ],
    [
      String.raw`RealtimeDisabledForConfiguration: Unable to subscribe to changes with given parameters\. Please check Realtime is enabled .*`,
      async () => ["realtime:a", changes({ event: "*", schema: "public", table: "none" })],
    ],
    [
      "RealtimeDisabledForConfiguration: .* Exception: permission denied for table seats",
      async () => ["realtime:a", changes({ event: "*", schema: "public", table: "seats" })],
    ],
  ];

  describe.each(VERSIONS)("in version %s", (vsn) => {
    test.each(JOINS)("with %s leaves the connection as it is", async (reason, join) => {
      using socket = await openRawSocket(realtime.socketUrl({ vsn }));
      const [topic, payload] = await join();
      expect(await socket.ask(topic, "phx_join", payload)).toEqual({
        status: "error",
        response: { reason: expect.stringMatching(new RegExp(`^${reason}$`)) },
      });
      // Nothing of it is left: a message to the topic has no channel.
      expect(await socket.ask(topic, "broadcast", {})).toEqual({ status: "error", response: { reason: "unmatched topic" } });
      expect(await socket.ask("realtime:other", "phx_join", {})).toMatchObject({ status: "ok" });
    });

    test.each([
      ["08006", "UnableToConnectToProject: Realtime was unable to connect to the project database"],
      ["XX000", "Unknown Error on Channel"],
    ])("because of the database, SQLSTATE %s, says %s and no more", async (code, reason) => {
      using socket = await openRawSocket(realtime.socketUrl({ vsn }));
      const [topic, payload] = await as(realtime.token({ session_id: crypto.randomUUID() }));
      using _away = vi.spyOn(database, "transaction").mockRejectedValue(new DatabaseError("10.1.2.3 failed", { code }));
      expect(await socket.ask(topic, "phx_join", payload)).toEqual({ status: "error", response: { reason } });
    });

    const LIMITS: [limits: Limits, reason: string, joins: number][] = [
      [{ max_channels_per_client: 2 }, "ChannelRateLimitReached: Too many channels (2 per connection)", 2],
      [{ private_only: true }, "PrivateOnly: This project only allows private channels", 0],
    ];
    test.each(LIMITS)("by the limits %o names the limit", async (limits, reason, joins) => {
      await using limited = await openRealtime(open, limits, database);
      using socket = await openRawSocket(limited.socketUrl({ vsn }));
      for (let index = 0; index < joins; index += 1)
        expect(await socket.ask(`realtime:${index}`, "phx_join", {})).toMatchObject({ status: "ok" });
      expect(await socket.ask("realtime:more", "phx_join", {})).toEqual({ status: "error", response: { reason } });
    });

    test("because too many users are connected names the reason", async () => {
      await using limited = await openRealtime(open, { max_concurrent_users: 1 }, database);
      using first = await openRawSocket(limited.socketUrl({ vsn }));
      using second = await openRawSocket(limited.socketUrl({ vsn }));
      expect(await first.ask("realtime:a", "phx_join", {})).toMatchObject({ status: "ok" });
      const response = { reason: "ConnectionRateLimitReached: Too many connected users" };
      expect(await second.ask("realtime:a", "phx_join", {})).toEqual({ status: "error", response });
      await first.ask("realtime:a", "phx_leave", {});
      await expect.poll(() => second.ask("realtime:a", "phx_join", {})).toMatchObject({ status: "ok" });
    });

    test("because there were too many in a second names the reason and closes the connection", async () => {
      await using limited = await openRealtime(open, { max_joins_per_second: 1 }, database);
      using socket = await openRawSocket(limited.socketUrl({ vsn }));
      const closed = once(socket.ws, "close");
      // More than the limit: on a busy machine some time passes between the first and the last.
      const answers = Array.from({ length: 10 }, (_, index) => socket.ask(`realtime:${index}`, "phx_join", {}));
      expect(await answers[0]).toMatchObject({ status: "ok" });
      expect((await closed)[0]).toBe(1008);
      const refused = socket.received.filter(([, , , , { status }]) => status === "error").map(([, , , , { response }]) => response);
      expect(refused).toEqual([{ reason: "ClientJoinRateLimitReached: Too many joins per second" }]);
    });
  });
});
