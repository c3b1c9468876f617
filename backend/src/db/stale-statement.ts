import * as SQLSTATE from "../sqlstates.ts";

/**
 * Returns true if Postgres refuses a prepared statement because its result would have other columns or the statement no longer
 * exists. The code 0A000 alone means "not supported"; the routine that raised it is a field of the protocol.
 */
export function isStaleStatement({ code, routine }: { code?: string | undefined; routine?: string | undefined }): boolean {
  return (
    (code === SQLSTATE.featureNotSupported && routine === "RevalidateCachedQuery") ||
    (code === SQLSTATE.invalidStatementName && routine === "FetchPreparedStatement")
  );
}
