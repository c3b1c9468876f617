import type { Loaded } from "../frame/outcome.ts";

/** The response of supabase-js to a query with a range. */
interface Result<Row> {
  data: Row[] | null;
  error: { message: string } | null;
  /** 0 if the service could not be reached. */
  status: number;
}

/** The rows that a database function returns as JSON. */
export async function jsonRows<Row>(call: PromiseLike<Omit<Result<Row>, "data"> & { data: unknown }>): Promise<Result<Row>> {
  const { data, ...result } = await call;
  return { ...result, data: isRows<Row>(data) ? data : null };
}

function isRows<Row>(json: unknown): json is Row[] {
  return Array.isArray(json);
}

/** At most `max_rows` of config.toml, the limit of the service. */
const PAGE = 1000;
/** Reads the rows of a query without a range. */
export const ALL = PAGE;

/** The most ids in the address of one request. */
const MOST_IDS = 100;

/** Splits ids into groups that fit into the address of one request. */
export function idGroups(ids: readonly string[], most = MOST_IDS): readonly string[][] {
  return Array.from({ length: Math.ceil(ids.length / most) }, (_, group) => ids.slice(group * most, (group + 1) * most));
}

/** Reads all rows of a query, or the first `most`, in pages; the order of the query must not have ties. */
export async function readList<Row>(
  what: string,
  page: (from: number, to: number) => PromiseLike<Result<Row>>,
  most = Infinity,
): Promise<Loaded<Row>> {
  const rows: Row[] = [];
  const size = Math.min(PAGE, most);
  const unexpected = `Unexpected error fetching ${what}. Please try again.`;
  try {
    for (;;) {
      const { data, error, status } = await page(rows.length, rows.length + size - 1);
      if (error) return { ok: false, message: status === 0 ? unexpected : `Error fetching ${what}: ${error.message}` };
      rows.push(...(data ?? []));
      if ((data ?? []).length < size || rows.length >= most) return { ok: true, rows };
    }
  } catch (error) {
    reportError(error);
    return { ok: false, message: unexpected };
  }
}
