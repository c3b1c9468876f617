import type { Loaded } from "../frame/outcome.ts";

/** The response of supabase-js to a query with a range. */
interface Result<Row> {
  data: Row[] | null;
  error: { message: string } | null;
}

/** The rows that a database function returns as JSON. */
export async function jsonRows<Row>(call: PromiseLike<{ data: unknown; error: { message: string } | null }>): Promise<Result<Row>> {
  const { data, error } = await call;
  return { data: isRows<Row>(data) ? data : null, error };
}

function isRows<Row>(json: unknown): json is Row[] {
  return Array.isArray(json);
}

/** At most `max_rows` of config.toml, the limit of the service. */
const PAGE = 1000;
/** Reads the rows of a query without a range. */
export const ALL = PAGE;

/** Reads all rows of a query, or the first `most`, in pages; the order of the query must not have ties. */
export async function readList<Row>(
  what: string,
  page: (from: number, to: number) => PromiseLike<Result<Row>>,
  most = Infinity,
): Promise<Loaded<Row>> {
  const rows: Row[] = [];
  const size = Math.min(PAGE, most);
  try {
    for (;;) {
      const { data, error } = await page(rows.length, rows.length + size - 1);
      if (error) return { ok: false, message: `Error fetching ${what}: ${error.message}` };
      rows.push(...(data ?? []));
      if ((data ?? []).length < size || rows.length >= most) return { ok: true, rows };
    }
  } catch (error) {
    reportError(error);
    return { ok: false, message: `Unexpected error fetching ${what}. Please try again.` };
  }
}
