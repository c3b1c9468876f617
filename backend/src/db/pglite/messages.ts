import type { DatabaseErrorFields } from "../database.ts";
import type { ExtensionName } from "./extensions.ts";

/** Messages between the main thread and PGlite's thread. */

export interface ThreadOptions {
  extensions: readonly ExtensionName[];
  directory: string | undefined;
  image: Uint8Array | undefined;
  module: WebAssembly.Module | undefined;
}

export interface Statement {
  text: string;
  /** In Postgres's text form; null for a script of several statements. */
  values: readonly (string | null)[] | null;
}

/** The result of a statement, with rows in Postgres's text form, which is cheap to copy between threads. */
export interface Outcome {
  tag: string;
  columns: string[];
  types: number[];
  rows: (string | null)[][];
}

export interface Failure extends DatabaseErrorFields {
  message: string;
}

export interface Notification {
  channel: string;
  payload: string;
}

export type ThreadRequest = { id: number } & ({ kind: "execute"; statement: Statement; mayGrowMemory: boolean } | { kind: "close" });

export type ThreadResponse =
  | { kind: "ready" }
  | { kind: "unusable"; reason: string }
  | { kind: "notification"; notification: Notification }
  | { kind: "outcome"; id: number; outcome: Outcome }
  | { kind: "failure"; id: number; failure: Failure }
  | { kind: "closed"; id: number };
