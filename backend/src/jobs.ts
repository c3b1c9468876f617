/** A task that the server's scheduler runs regularly. Running it twice, or in several processes at once, must do no harm. */
export interface Job {
  name: string;
  /** Delay of the first run after the start; a minute by default. */
  firstRunMs?: number;
  intervalMs: number;
  /** True if every process runs it; otherwise one of the processes on a database runs it per interval. */
  everyProcess?: boolean;
  run(): Promise<void>;
}

export const HOUR_MS = 3_600_000;
