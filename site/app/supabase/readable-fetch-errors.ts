/** `fetch` with one readable error in every browser if there is no connection; an abort rejects with its own reason. */
export async function readableFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  try {
    return await fetch(...request);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    // supabase-js shows both, "No connection: The service could not be reached."
    throw Object.assign(new Error("The service could not be reached.", { cause }), { name: "No connection" });
  }
}
