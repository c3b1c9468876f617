/**
 * Reads a JSON body: `value` is undefined if the body is not JSON. Bodies longer than `maxLength` characters are too large.
 * The backend has a reader of its own: functions also run on a hosted project, without the backend.
 */
export async function readJson(request: Request, maxLength: number): Promise<{ value: unknown; tooLarge: boolean }> {
  const text = await request.text();
  if (text.length > maxLength) return { value: undefined, tooLarge: true };
  try {
    return { value: JSON.parse(text), tooLarge: false };
  } catch (error) {
    if (error instanceof SyntaxError) return { value: undefined, tooLarge: false };
    throw error;
  }
}
