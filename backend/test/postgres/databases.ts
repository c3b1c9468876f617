import pg from "pg";
import { quoteIdentifier } from "../../src/db/quote.ts";

/** Creates a database on the server of `serverUrl`, as a copy of `template` if given, and returns its URL. */
export async function createPostgresDatabase(serverUrl: string, name: string, template?: string): Promise<string> {
  // The default strategy writes each page to the write-ahead log, which takes twice the time.
  const copy = template === undefined ? "" : ` template ${quoteIdentifier(template)} strategy file_copy`;
  await administer(serverUrl, `create database ${quoteIdentifier(name)}${copy}`);
  return databaseUrl(serverUrl, name);
}

/** Drops a database and ends its connections. */
export async function dropPostgresDatabase(serverUrl: string, name: string): Promise<void> {
  await administer(serverUrl, `drop database ${quoteIdentifier(name)} with (force)`);
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(serverUrl, "postgres") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
