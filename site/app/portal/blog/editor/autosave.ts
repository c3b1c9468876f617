/** What came of saving: done; to be tried again; or held until the person who types decides. */
export type SaveOutcome = { ok: true } | { ok: false; again: boolean; message: string };

/** How what was typed stands; null until something was saved or could not be. */
export type SaveState = { is: "saved"; at: Date } | { is: "failed" | "held"; message: string } | null;

export interface AutosaveOptions<Values> {
  save: (values: Values) => Promise<SaveOutcome>;
  onState: (state: SaveState) => void;
  /** How long nobody types before it is saved, in milliseconds. */
  pauseMs: number;
  /** How long after a failure it is tried again, in milliseconds. */
  retryMs: number;
}

export interface Autosave<Values> {
  /** Takes what stands in the form now, to be saved after a pause. */
  note: (values: Values) => void;
  /** Saves at once what is not saved; one that is held only where `decided` says that the person wants it. Resolves when that is over. */
  flush: (decided?: boolean) => Promise<void>;
  /** Waits for a save under way and begins no other: what stands in the form goes another way. */
  settle: () => Promise<void>;
  /** Holds what comes until the person decides. */
  hold: (message: string) => void;
  /** What is not saved yet. */
  unsaved: () => Values | null;
  /** Whether what comes is held. */
  isHeld: () => boolean;
  /** Forgets what is not saved: it went another way. */
  drop: () => void;
}

/** Saves what is typed after a pause, one save at a time, the latest always last, and tries again what failed. */
export function createAutosave<Values>({ save, onState, pauseMs, retryMs }: AutosaveOptions<Values>): Autosave<Values> {
  let pending: Values | null = null;
  let underWay: Values | null = null;
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let held = false;

  function later(delay: number): void {
    clearTimeout(timer);
    timer = held ? undefined : setTimeout(() => void run(), delay);
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    if (running) return running;
    if (pending === null || held) return;
    running = saveOnce(pending);
    await running;
  }

  async function saveOnce(values: Values): Promise<void> {
    pending = null;
    underWay = values;
    const outcome = await save(values);
    underWay = null;
    running = null;
    if (outcome.ok) {
      onState({ is: "saved", at: new Date() });
      if (pending !== null) later(pauseMs);
      return;
    }
    pending ??= values;
    held = !outcome.again;
    onState({ is: held ? "held" : "failed", message: outcome.message });
    later(retryMs);
  }

  return {
    note(values) {
      pending = values;
      later(pauseMs);
    },
    async flush(decided = false) {
      if (running) await running;
      if (decided) held = false;
      await run();
    },
    async settle() {
      clearTimeout(timer);
      if (running) await running;
      clearTimeout(timer);
    },
    hold(message) {
      held = true;
      clearTimeout(timer);
      onState({ is: "held", message });
    },
    unsaved: () => pending ?? underWay,
    isHeld: () => held,
    drop() {
      pending = null;
      clearTimeout(timer);
    },
  };
}
