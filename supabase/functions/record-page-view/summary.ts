import type { CountedView } from "./recorder.ts";

/** How often something was counted. */
export type Sum = { kind: "all" | "page" | "device" | "referrer" | "objection"; name: string; count: number };

/** What some views come to. Of many, nobody can tell who saw which page. */
export type Summary = { sums: Sum[]; sessions: string[] };

/** Views the database may refuse, all of them or none: those of a post, and those that report an address. */
export type Question = Summary & { post_slug: string | undefined; address: string | undefined; address_views: number };

/** What `record_page_views` is given of views that came together. */
export interface Group {
  sums: Sum[];
  sessions: string[];
  asked: Question[];
  /** For each view in order, its place in `asked`; undefined where it is recorded without asking. */
  places: (number | undefined)[];
}

interface Tally {
  views: number;
  pages: Map<string, number>;
  devices: Map<string, number>;
  referrers: Map<string, number>;
  sessions: string[];
}

/** Sums up views that came together, and how many others were not counted because of an objection. */
export function summarise(views: readonly CountedView[], objections: number): Group {
  const sure = emptyTally();
  const asked = new Map<string, { place: number; question: Omit<Question, keyof Summary>; tally: Tally }>();

  function ask({ post_slug, address, address_views = 0 }: CountedView): { place: number; tally: Tally } {
    const key = `${post_slug ?? ""} ${address ?? ""}`;
    const known = asked.get(key);
    if (known) {
      known.question.address_views += address_views;
      return known;
    }
    const made = { place: asked.size, question: { post_slug, address, address_views }, tally: emptyTally() };
    asked.set(key, made);
    return made;
  }

  const places = views.map((view) => {
    const doubt = view.post_slug !== undefined || view.address !== undefined ? ask(view) : undefined;
    add(doubt?.tally ?? sure, view);
    return doubt?.place;
  });
  const { sums, sessions } = summaryOf(sure);
  if (objections > 0) sums.push({ kind: "objection", name: "", count: objections });
  return { sums, sessions, asked: Array.from(asked.values(), ({ question, tally }) => ({ ...question, ...summaryOf(tally) })), places };
}

function emptyTally(): Tally {
  return { views: 0, pages: new Map(), devices: new Map(), referrers: new Map(), sessions: [] };
}

function add(tally: Tally, { page_path, device, referrer, session_id }: CountedView): void {
  tally.views += 1;
  addOne(tally.pages, page_path);
  addOne(tally.devices, device);
  if (referrer !== undefined) addOne(tally.referrers, referrer);
  tally.sessions.push(session_id);
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function summaryOf({ views, pages, devices, referrers, sessions }: Tally): Summary {
  const all: Sum[] = views > 0 ? [{ kind: "all", name: "", count: views }] : [];
  return { sums: [...all, ...sumsOf("page", pages), ...sumsOf("device", devices), ...sumsOf("referrer", referrers)], sessions };
}

function sumsOf(kind: Sum["kind"], counts: Map<string, number>): Sum[] {
  return Array.from(counts, ([name, count]) => ({ kind, name, count }));
}
