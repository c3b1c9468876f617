/** The words by which a course is found: its name and its initials, "Emergency First Aid efa", without small words too. */
export function courseWords(courseName: string): string {
  const words = courseName.split(/[^A-Za-z0-9]+/);
  const initials = (some: readonly string[]): string =>
    some
      .map((word) => word.charAt(0))
      .join("")
      .toLowerCase();
  return [courseName, initials(words), initials(words.filter((word) => /^[A-Z0-9]/.test(word)))].join(" ");
}
