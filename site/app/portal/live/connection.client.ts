import { REALTIME_SUBSCRIBE_STATES, RealtimeClient, type RealtimeChannel } from "@supabase/realtime-js";
import { publishableKey } from "../../supabase/publishable-key.client.ts";
import { browserClient } from "../../supabase/supabase.client.ts";
import { createFollowers, TABLES, type Follower, type Following } from "./followers.client.ts";

/** A window of the portal that shows a record. */
export interface Member {
  userId: string;
  name: string;
}

/** The realtime connection of a tab, which reconnects automatically. */
export interface Connection {
  follow(follower: Follower): Following;
  /** Announces this window to the others that are announced under this name; `onOthers` receives them. Returns a function that stops it. */
  meet(name: string, self: Member, onOthers: (others: readonly Member[]) => void): () => void;
  close(): void;
}

/** The policies on `realtime.messages` allow topics with this prefix to staff. */
const PREFIX = "portal:";
/** Without an answer to a heartbeat in this time, the connection is opened again. */
const ANSWER_MS = 5_000;
/** Pause before a topic that the service closed, for example because a token expired during sleep, is joined again. */
const REJOIN_MS = 5_000;
/** Characters of a name that are shown, as in the list of accounts. */
const LONGEST_NAME = 120;

/** Connects as the signed-in person. */
export function connect(): Connection {
  const followers = createFollowers();
  // `crypto.randomUUID` is missing on pages without TLS.
  const id = crypto.getRandomValues(new Uint32Array(4)).join("-");
  const stopped = new AbortController();
  let overdue: ReturnType<typeof setTimeout> | undefined;

  const client = new RealtimeClient(`${location.origin.replace(/^http/, "ws")}/realtime/v1`, {
    params: { apikey: publishableKey() },
    accessToken: async () => (await browserClient().auth.getSession()).data.session?.access_token ?? null,
    heartbeatCallback(status) {
      clearTimeout(overdue);
      // A second heartbeat before the answer to the first one makes the client connect again.
      overdue = status === "sent" ? setTimeout(() => void client.sendHeartbeat(), ANSWER_MS) : undefined;
    },
  });
  // A channel is joined after the token is known, and after an earlier one of the same topic was left.
  let ready: Promise<unknown> = client.setAuth();

  /** Joins a topic, again whenever the service closes it, until the returned function is called. */
  function join(name: string, prepare: (channel: RealtimeChannel) => void, onStatus: (isJoined: boolean, joined: RealtimeChannel) => void) {
    let channel: RealtimeChannel | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;

    async function open(): Promise<void> {
      await ready;
      if (isLeft || stopped.signal.aborted) return;
      const opened = client.channel(PREFIX + name, {
        config: { private: true, presence: { key: id }, postgres_changes_options: { wait: true } },
      });
      channel = opened;
      prepare(opened);
      opened.subscribe((status) => {
        if (isLeft || stopped.signal.aborted) return;
        onStatus(status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED, opened);
        if (status === REALTIME_SUBSCRIBE_STATES.CLOSED) timer = setTimeout(() => void open(), REJOIN_MS);
      });
    }

    void open();
    return () => {
      isLeft = true;
      clearTimeout(timer);
      if (channel) ready = client.removeChannel(channel);
    };
  }

  /** Sends a heartbeat, which detects a connection that was lost during sleep or without a network. */
  function check(): void {
    if (overdue === undefined) void client.sendHeartbeat();
  }

  join(
    "changes",
    (channel) => {
      for (const table of TABLES)
        channel.on("postgres_changes", { event: "*", schema: "public", table, select: ["id"] }, () => followers.changed(table));
    },
    (isJoined) => followers.setArriving(isJoined),
  );
  for (const event of ["online", "pageshow"]) addEventListener(event, check, { signal: stopped.signal });
  document.addEventListener("visibilitychange", check, { signal: stopped.signal });

  return {
    follow: (follower) => followers.add(follower),
    meet(name, self, onOthers) {
      return join(
        name,
        (channel) => channel.on("presence", { event: "sync" }, () => onOthers(othersOf(channel))),
        (isJoined, channel) => {
          if (isJoined) void channel.track(self);
          else onOthers([]);
        },
      );
    },
    close() {
      stopped.abort();
      followers.close();
      clearTimeout(overdue);
      void client.removeAllChannels();
    },
  };

  /** Other clients choose what they track: anything else than texts is left out. */
  function othersOf(channel: RealtimeChannel): Member[] {
    const others = Object.entries(channel.presenceState<Record<string, unknown>>()).filter(([key]) => key !== id);
    return others.flatMap(([, members]) =>
      members.flatMap(({ userId, name }) =>
        typeof userId === "string" && typeof name === "string" ? { userId, name: name.slice(0, LONGEST_NAME) } : [],
      ),
    );
  }
}
