/** An address with the parameters that have a value. */
export function queryHref(path: string, parameters: Readonly<Record<string, string | undefined>>, fragment = ""): string {
  const query = new URLSearchParams(Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  return `${path}${query.size === 0 ? "" : `?${query}`}${fragment}`;
}
