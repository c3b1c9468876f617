/** A `config.toml` that cannot be used; the message names the file and the key, and never repeats a value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
