const DATES = 50;
const COLUMNS = "id,course_name,course_date,capacity,description";
/** The measured read. */
export const PATH = `/rest/v1/course_dates?select=${COLUMNS}&course_date=gte.2026-01-01T00:00:00Z&order=course_date.asc&limit=${DATES}`;

/** The path at which the minimal server returns the statements that the REST API sends for `PATH`. */
export const STATEMENTS_PATH = "/statements";

/** A statement with its parameters, as the REST API sends it between `begin read only` and `commit`. */
export interface SentStatement {
  text: string;
  values: (string | null)[];
}

/** Replaces all course dates by those that `PATH` reads. */
export async function writeDates(send: (request: Request) => Promise<Response>, url: string, secretKey: string): Promise<void> {
  const rows = Array.from({ length: DATES }, (_, day) => ({
    course_name: "Lvl 2 CCTV",
    course_date: new Date(Date.UTC(2027, 0, 1 + day, 9)).toISOString(),
    description: `Day ${day}`,
  }));
  const headers = { apikey: secretKey, "Content-Type": "application/json" };
  const table = `${url}/rest/v1/course_dates`;
  for (const request of [
    new Request(`${table}?id=not.is.null`, { method: "DELETE", headers }),
    new Request(table, { method: "POST", headers, body: JSON.stringify(rows) }),
  ]) {
    const response = await send(request);
    if (!response.ok) throw new Error(`the course dates were refused: ${response.status} ${await response.text()}`);
  }
}
