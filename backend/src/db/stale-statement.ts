/**
 * Tells whether Postgres refuses a prepared statement for what happened since: its result would have other columns, or it is
 * gone. 0A000 alone says no more than "not supported"; the routine that raised it is a field of the protocol.
 */
export function isOutdated({ code, routine }: { code?: string | undefined; routine?: string | undefined }): boolean {
  return (code === "0A000" && routine === "RevalidateCachedQuery") || (code === "26000" && routine === "FetchPreparedStatement");
}
