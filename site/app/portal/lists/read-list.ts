import type { Loaded } from "../frame/outcome.ts";

/** One page of rows as supabase-js answers a query with a range. */
interface Answer<Row> {
  data: Row[] | null;
  error: { message: string } | null;
}

/** No more than `max_rows` of config.toml, beyond which the service cuts an answer off. */
const PAGE = 1000;

/** Reads every row of a query, page by page and `most` of them, or says in words why not; the query must have an order without ties. */
export async function readList<Row>(
  what: string,
  page: (from: number, to: number) => PromiseLike<Answer<Row>>,
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
