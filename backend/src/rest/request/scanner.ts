import { RestError } from "../errors.ts";

/** An unquoted name; it may contain a dash that does not start an arrow. */
const BARE_NAME = /(?:[\p{L}\p{N}_$ ]|-(?!>))+/uy;
const QUOTED = /"((?:[^"\\]|\\.)*)"/suy;

/** Reads one query parameter from left to right; every failure is a PGRST100 with the position. */
export class Scanner {
  readonly #what: string;
  readonly #text: string;
  #position = 0;

  /** `what` names the parameter in error messages. */
  constructor(what: string, text: string) {
    this.#what = what;
    this.#text = text;
  }

  get done(): boolean {
    return this.#position >= this.#text.length;
  }

  /** Returns true if `token` comes next; does not consume it. */
  sees(token: string): boolean {
    return this.#text.startsWith(token, this.#position);
  }

  /** Consumes `token` if it comes next. */
  take(token: string): boolean {
    if (!this.sees(token)) return false;
    this.#position += token.length;
    return true;
  }

  /** Consumes `token` or fails. */
  expect(token: string): void {
    if (!this.take(token)) this.fail(`"${token}"`);
  }

  /** Consumes the match of a sticky pattern at the current position, if any. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text);
    if (found) this.#position += found[0].length;
    return found;
  }

  /** Consumes the remaining text. */
  rest(): string {
    const text = this.#text.slice(this.#position);
    this.#position = this.#text.length;
    return text;
  }

  /** Consumes a name, unquoted or in double quotes. */
  name(): string {
    const quoted = this.quoted();
    if (quoted !== null) return quoted === "" ? this.fail("a name") : quoted;
    const bare = this.match(BARE_NAME)?.[0].trim();
    return bare ? bare : this.fail("a name");
  }

  /** Consumes a text in double quotes, in which a backslash escapes the next character; null if there is none. */
  quoted(): string | null {
    if (!this.sees('"')) return null;
    const found = this.match(QUOTED);
    return found ? unescape(found[1] ?? "") : this.fail("a closing quote");
  }

  /** Fails unless the whole text has been read. */
  end(expecting = "end of input"): void {
    if (!this.done) this.fail(expecting);
  }

  fail(expecting: string): never {
    const next = this.done ? "end of input" : `"${String.fromCodePoint(this.#text.codePointAt(this.#position) ?? 0)}"`;
    throw new RestError(400, "PGRST100", `"failed to parse ${this.#what} (${this.#text})" (line 1, column ${this.#position + 1})`, {
      details: `unexpected ${next}, expecting ${expecting}`,
    });
  }
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gs, "$1");
}
