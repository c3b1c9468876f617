import type { Identity } from "../identity.ts";
import type { DatabaseFeed } from "./database/feed.ts";

/** What a caller may do on a topic. */
export type Rights = Awaited<ReturnType<DatabaseFeed["authorise"]>>;

/** The rights of everybody on a public topic. */
export const ALL_RIGHTS: Rights = { broadcast: { read: true, write: true }, presence: { read: true, write: true } };

/** Asks the policies on `realtime.messages` about a private topic. */
export function readRights(feed: DatabaseFeed, identity: Identity, topic: string): Promise<Rights> {
  return feed.authorise(identity, topic);
}
