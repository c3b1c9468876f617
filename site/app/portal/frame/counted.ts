/** "1 booking", "2 bookings"; pass the plural if it does not end in "s". */
export function counted(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
