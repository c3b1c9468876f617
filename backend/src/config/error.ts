/** An invalid `config.toml`. The message names the file and the key and contains no value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
