import type { Outcome } from "../frame/outcome.ts";
import type { RecordEdit, Versioned } from "./save-record.ts";

/** The edits of a page. Columns that the page itself has stored since its list was loaded are not changes by somebody else. */
export interface PageEdits {
  /** Lets an edit begin with what this page last stored of its record. */
  start: (edit: RecordEdit<Versioned>) => void;
  /** Waits for an action of this page; until then no save reports a change by somebody else. */
  track: (action: Promise<Outcome>) => Promise<Outcome>;
}

/** Creates the edits of a page. */
export function createPageEdits(): PageEdits {
  const edits = new Map<string, RecordEdit<Versioned>>();
  const stored = new Map<string, Versioned>();
  const running = new Set<Promise<Outcome>>();

  function start(edit: RecordEdit<Versioned>): void {
    const { id } = edit.opened;
    const last = edits.get(id)?.seen;
    if (last && isNewer(last, edit.opened)) edit.opened = { ...edit.opened, ...last };
    const own = stored.get(id);
    if (own && isNewer(own, edit.opened)) edit.opened = withColumns(edit.opened, own);
    edit.seen = edit.opened;
    edit.unanswered = () => (running.size === 0 ? null : Promise.allSettled(running));
    edits.set(id, edit);
  }

  function store(row: Versioned): void {
    stored.set(row.id, { ...stored.get(row.id), ...row });
    const edit = edits.get(row.id);
    if (edit && isNewer(row, edit.seen)) edit.seen = withColumns(edit.seen, row);
  }

  async function track(action: Promise<Outcome>): Promise<Outcome> {
    const tracked = action.then((outcome) => {
      if (outcome.ok) outcome.stored?.forEach(store);
      return outcome;
    });
    running.add(tracked);
    try {
      return await tracked;
    } finally {
      running.delete(tracked);
    }
  }

  return { start, track };
}

function isNewer(one: Versioned, other: Versioned): boolean {
  return Date.parse(one.updated_at) > Date.parse(other.updated_at);
}

/** Returns a row with some columns of a newer one. Its version stays the same, so that a save detects changes of the other columns. */
function withColumns(row: Versioned, columns: Versioned): Versioned {
  return { ...row, ...columns, updated_at: row.updated_at };
}
