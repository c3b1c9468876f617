import { once } from "node:events";
import { createServer } from "node:http";
import { REALTIME_SUBSCRIBE_STATES, RealtimeClient, type RealtimeChannel } from "@supabase/realtime-js";
import type { SupabaseClient } from "@supabase/supabase-js";
import { IN_PROCESS } from "backend";
import { describeDatabases } from "backend/test/database.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openProject, PUBLISHABLE_KEY, SECRET_KEY } from "../support/project.ts";
import { clientsOf, ROLES, STAFF, type Role } from "../support/roles.ts";

/** An operation of a caller on a private topic; "send" and "receive" are those of broadcasts. */
type Operation = "join" | "track" | "send" | "receive";

const TOPICS = ["portal:changes", "portal:editing:bookings:00000000-0000-4000-8000-000000000000", "another"];

/** The allowed operations of a role on a topic; policies do not apply to the service. */
function allowed(role: Role, topic: string): readonly Operation[] {
  if (role === "the service") return ["join", "track", "send", "receive"];
  return STAFF.includes(role) && topic.startsWith("portal:") ? ["join", "track"] : [];
}

describeDatabases("private topics", (open) => {
  let clients: Record<Role, SupabaseClient>;
  let url: string;
  const connected: RealtimeClient[] = [];
  const cleanup = new AsyncDisposableStack();

  beforeAll(async () => {
    const project = await openProject(open);
    clients = await clientsOf(project);
    const server = createServer();
    server.on("upgrade", (incoming, socket, head) => project.backend.webSockets?.accept(incoming, socket, head, IN_PROCESS));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    cleanup.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
    url = `ws://127.0.0.1:${address.port}/realtime/v1`;
  });
  afterAll(async () => {
    await Promise.all(connected.map((client) => client.disconnect()));
    await cleanup.disposeAsync();
  });

  /** A realtime client for a kind of caller. */
  async function connect(role: Role): Promise<RealtimeClient> {
    const apikey = role === "the service" ? SECRET_KEY : PUBLISHABLE_KEY;
    const client = new RealtimeClient(url, {
      params: { apikey },
      accessToken: () => clients[role].realtime.accessToken?.() ?? Promise.resolve(null),
    });
    connected.push(client);
    await client.setAuth();
    return client;
  }

  describe.each(ROLES)("%s", (role) => {
    test.each(TOPICS)("may do on %s only what the policies allow", async (topic) => {
      const observer = (await connect("the service")).channel(topic, { config: { private: true, broadcast: { ack: true } } });
      const received: string[] = [];
      const members = new Set<string>();
      observer.on("broadcast", { event: "*" }, ({ event }) => received.push(event));
      observer.on("presence", { event: "sync" }, () => Object.keys(observer.presenceState()).forEach((key) => members.add(key)));
      await joined(observer);
      await observer.track({});

      const operations: Operation[] = [];
      const own = (await connect(role)).channel(topic, { config: { private: true, presence: { key: "own" }, broadcast: { ack: true } } });
      let receivedCount = 0;
      own.on("broadcast", { event: "*" }, () => receivedCount++);
      if (await joined(own)) {
        operations.push("join");
        if ((await own.track({})) === "ok") operations.push("track");
        if ((await own.send({ type: "broadcast", event: "own", payload: {} })) === "ok") operations.push("send");
        // Both answers come after the frames that were sent before them.
        await observer.send({ type: "broadcast", event: "observer", payload: {} });
        await own.untrack();
        await expect.poll(() => members.has("own")).toBe(operations.includes("track"));
        if (receivedCount > 0) operations.push("receive");
      }
      expect(operations).toEqual(allowed(role, topic));
      expect(received).toEqual(operations.includes("send") ? ["own"] : []);
    });
  });
});

/** True if the channel may join. */
function joined(channel: RealtimeChannel): Promise<boolean> {
  return new Promise((resolve) => {
    channel.subscribe((status) => resolve(status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED));
  });
}
