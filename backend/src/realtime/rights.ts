import type { DatabaseFeed } from "./database/feed.ts";

/** Rights of a caller on a topic. */
export type Rights = Awaited<ReturnType<DatabaseFeed["authorise"]>>;

/** The rights of everybody on a public topic. */
export const ALL_RIGHTS: Rights = { broadcast: { read: true, write: true }, presence: { read: true, write: true } };
