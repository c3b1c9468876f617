/** The reference that visitors and staff use for an enquiry: "3F9A-12BC", the start of its id. */
export function enquiryReference(id: string): string {
  const start = id.replaceAll("-", "").slice(0, 8).toUpperCase();
  return `${start.slice(0, 4)}-${start.slice(4)}`;
}
