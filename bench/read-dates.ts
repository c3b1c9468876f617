/** The number of rows in the measured read. */
export const DATES = 50;
const COLUMNS = "id,course_name,course_date,capacity,description";
export const PATH = `/rest/v1/course_dates?select=${COLUMNS}&course_date=gte.2026-01-01T00:00:00Z&order=course_date.asc&limit=${DATES}`;

/** The message of a server to its parent process once it is listening. */
export interface Served {
  url: string;
  key: string;
}
