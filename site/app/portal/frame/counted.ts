/** "1 booking", "2 bookings"; a plural that is not formed with "s" is given. */
export function counted(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
