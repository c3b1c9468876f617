/** `fetch`, failing in the same words in every browser where nothing answers; whoever aborts it gets their own error. */
export async function fetchInWords(...request: Parameters<typeof fetch>): Promise<Response> {
  try {
    return await fetch(...request);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    // supabase-js shows both, "No connection: The service could not be reached."
    throw Object.assign(new Error("The service could not be reached.", { cause }), { name: "No connection" });
  }
}
