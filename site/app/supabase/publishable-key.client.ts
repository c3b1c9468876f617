/** The publishable key in the portal's document. Fails if there is none. */
export function publishableKey(): string {
  const key = document.querySelector<HTMLMetaElement>('meta[name="publishable-key"]')?.content;
  if (key === undefined) throw new Error("This page contains no publishable key");
  return key;
}
