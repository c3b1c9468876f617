/** The national form of a British phone number, else the digits with the country code; as `private.phone_digits` in the database. */
export function nationalNumber(text: string): string {
  const digits = text.replaceAll(/\D/g, "");
  return digits.replace(/^00/, "").replace(/^440?/, "0");
}
