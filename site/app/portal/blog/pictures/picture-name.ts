/** The formats a picture is stored in, by the ending of its name. */
const ENDINGS: Readonly<Record<string, string>> = { "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp" };

const LONGEST_WORDS = 60;

/** Names a picture in the storage: what its file was called, something no other has, and how large it is. */
export function imageName(fileName: string, { type, width, height }: { type: string; width: number; height: number }): string {
  const words = fileName
    .replace(/\.[^.]*$/, "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST_WORDS)
    .replace(/^-|-$/g, "");
  const unique = crypto.randomUUID().slice(0, 8);
  return `${words === "" ? "picture" : words}-${unique}-${width}x${height}.${ENDINGS[type] ?? "jpg"}`;
}

/** What a picture is called in the portal: its name without what tells it from others. */
export function imageTitle(name: string): string {
  return name.replace(/-[0-9a-f]{8}-\d+x\d+\.[a-z]+$/, "").replaceAll("-", " ");
}

/** A picture as Markdown, its words as they were typed. */
export function imageMarkdown(alt: string, address: string): string {
  const words = alt
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[\\[\]*_`~<&]/g, "\\$&");
  return `![${words}](${address})`;
}
