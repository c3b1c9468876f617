/** One page of rows as supabase-js answers a query with a range. */
interface Answer<Row> {
  data: Row[] | null;
  error: { message: string } | null;
}

/** No more than `max_rows` of config.toml, beyond which the service cuts an answer off. */
const PAGE = 1000;

/** Reads every row of a query, page by page; the query must have an order without ties. Returns the service's message where it refuses. */
export async function readAll<Row>(
  page: (from: number, to: number) => PromiseLike<Answer<Row>>,
): Promise<{ rows: Row[] } | { message: string }> {
  const rows: Row[] = [];
  for (;;) {
    const { data, error } = await page(rows.length, rows.length + PAGE - 1);
    if (error) return { message: error.message };
    rows.push(...(data ?? []));
    if ((data ?? []).length < PAGE) return { rows };
  }
}
