import { once } from "node:events";
import { createServer } from "node:http";
import { REALTIME_SUBSCRIBE_STATES, RealtimeClient, type RealtimeChannel } from "@supabase/realtime-js";
import type { SupabaseClient } from "@supabase/supabase-js";
import { IN_PROCESS } from "backend";
import { describeDatabases } from "backend/test/database.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openProject, PUBLISHABLE_KEY, SECRET_KEY } from "../support/project.ts";
import { clientsOf, ROLES, STAFF, type Role } from "../support/roles.ts";

/** A deed of a caller on a private topic; it may hear and send broadcasts. */
type Deed = "join" | "be a member" | "send" | "hear";

const TOPICS = ["portal:changes", "portal:editing:bookings:00000000-0000-4000-8000-000000000000", "another"];

/** The allowed deeds on a topic; the service is above the policies. */
function allowed(role: Role, topic: string): readonly Deed[] {
  if (role === "the service") return ["join", "be a member", "send", "hear"];
  return STAFF.includes(role) && topic.startsWith("portal:") ? ["join", "be a member"] : [];
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
      const heard: string[] = [];
      const members = new Set<string>();
      observer.on("broadcast", { event: "*" }, ({ event }) => heard.push(event));
      observer.on("presence", { event: "sync" }, () => Object.keys(observer.presenceState()).forEach((key) => members.add(key)));
      await joined(observer);
      await observer.track({});

      const deeds: Deed[] = [];
      const own = (await connect(role)).channel(topic, { config: { private: true, presence: { key: "own" }, broadcast: { ack: true } } });
      let hears = 0;
      own.on("broadcast", { event: "*" }, () => hears++);
      if (await joined(own)) {
        deeds.push("join");
        if ((await own.track({})) === "ok") deeds.push("be a member");
        if ((await own.send({ type: "broadcast", event: "own", payload: {} })) === "ok") deeds.push("send");
        // Both answers come after the frames that were sent before them.
        await observer.send({ type: "broadcast", event: "observer", payload: {} });
        await own.untrack();
        await expect.poll(() => members.has("own")).toBe(deeds.includes("be a member"));
        if (hears > 0) deeds.push("hear");
      }
      expect(deeds).toEqual(allowed(role, topic));
      expect(heard).toEqual(deeds.includes("send") ? ["own"] : []);
    });
  });
});

/** True if the channel may join. */
function joined(channel: RealtimeChannel): Promise<boolean> {
  return new Promise((resolve) => {
    channel.subscribe((status) => resolve(status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED));
  });
}
