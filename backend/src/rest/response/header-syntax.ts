// RFC 9110, 5.5 and 5.6.2: a token, and visible characters with spaces and tabs between them.
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Tells whether a header that SQL asks for can be sent. */
export function isHeader(name: string, value: string): boolean {
  return NAME.test(name) && VALUE.test(value);
}
