import packageJson from "../package.json" with { type: "json" };

/** Name and version of this program. */
export const PROGRAM = `${packageJson.name} ${packageJson.version}`;
