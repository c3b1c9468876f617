/** Facts about a request that are not part of the HTTP message. */
export interface Connection {
  /** The client's network address, after trusted proxies. */
  clientAddress: string;
  /** True for a request that this process makes itself; limits per client network do not apply to it. */
  inProcess?: boolean;
  /**
   * Collects the tables that the REST API reads for this request, as `schema.table`: of the path, of embeds, behind views and
   * inside functions whose body Postgres has parsed. `*` stands for tables that cannot be determined.
   */
  relations?: Set<string>;
  /** Lifts the time limit of ordinary requests for the body; an API calls it once the caller may upload a file. */
  allowLongBody?: (() => void) | undefined;
  /** Called with the route as it is declared, such as `/rest/v1/bookings`: one of a fixed set, whatever clients request. */
  onRoute?: ((route: string) => void) | undefined;
}

/** The connection of a request made inside this process. */
export const IN_PROCESS: Connection = { clientAddress: "in-process", inProcess: true };
