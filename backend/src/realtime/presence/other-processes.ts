import type { Member } from "./members.ts";

/** The members that clients of other processes on the same database track. */
export interface OtherProcesses {
  /** Reads the members of a topic, if need be until it succeeds, and follows them as long as it has subscribers in this process. */
  members(topic: string, isPrivate: boolean): Promise<ReadonlyMap<string, Member>>;
  /** Calls `listener` when the members of a followed topic have changed. */
  onChange(
    listener: (topic: string, isPrivate: boolean, before: ReadonlyMap<string, Member>, after: ReadonlyMap<string, Member>) => void,
  ): void;
  /** Reports a member of this process to the others; undefined if it left. */
  publish(topic: string, isPrivate: boolean, id: string, member: Member | undefined): void;
}
