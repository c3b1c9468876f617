import * as SQLSTATE from "../sqlstates.ts";
import { type Database, DatabaseError, type Transaction } from "./database.ts";

// The statements that give a server the roles of a hosted project, and the connecting role the right to switch to the API roles; no rows
// if nothing is missing. Since PostgreSQL 16 that right is separate from membership, which the creator of a role has. A role that may not
// give BYPASSRLS, such as that of a managed server, makes service_role without it: policies take its place.
const MISSING = `
  with roles (name, attributes, is_api_role) as (
    select 'anon', '', true union all select 'authenticated', '', true union all
    select 'service_role', case when rolsuper or (rolbypassrls and current_setting('server_version_num')::integer >= 160000) then ' bypassrls' else '' end, true
    from pg_roles where rolname = current_user union all
    select 'authenticator', '', false union all select 'supabase_auth_admin', '', false
  ), present as (
    select roles.*, to_regrole(name) as id, to_regrole('authenticator') as authenticator from roles
  ), privilege (name) as (
    select case when current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER' end
  )
  select 1 as step, format('create role %I nologin noinherit%s', name, attributes) as statement
  from present where id is null
  union all
  select 2, format('grant %I to %I', present.name, current_user)
  from present, privilege
  where is_api_role and not (select rolsuper from pg_roles where rolname = current_user)
    and (id is null or not pg_has_role(id, privilege.name))
  union all
  select 2, format('grant %I to authenticator', name)
  from present
  where is_api_role and (id is null or authenticator is null or not pg_has_role(authenticator, id, 'MEMBER'))
  order by step`;

// Roles belong to the server, which several databases may share: another one may add them at the same time.
const ADDED_MEANWHILE: ReadonlySet<string> = new Set([SQLSTATE.duplicateObject, SQLSTATE.uniqueViolation, SQLSTATE.internalError]);
const MAX_ATTEMPTS = 10;

/** Creates the platform's roles and the rights of the connecting role where they are missing. Fails with a `DatabaseError` that says what to do. */
export async function ensureRoles(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const statements = await database.transaction(findMissing, { readOnly: true });
    if (statements.length === 0) return;
    try {
      await database.transaction((tx) => tx.script(statements.join(";\n")));
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (error.code === SQLSTATE.insufficientPrivilege) throw notAllowed(statements, error);
      if (!ADDED_MEANWHILE.has(error.code) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function findMissing(tx: Transaction): Promise<string[]> {
  const rows = await tx.query<{ statement: string }>(MISSING);
  return rows.map(({ statement }) => statement);
}

function notAllowed(statements: readonly string[], cause: DatabaseError): DatabaseError {
  const message = `Roles or rights are missing, and the role of DATABASE_URL may not create them. As a superuser or a role that may, run: ${statements.join("; ")};`;
  return new DatabaseError(message, { code: cause.code, cause });
}

const MISSING_POLICIES = `
  select format('create policy service_role on %s for all to service_role using (true) with check (true)', oid::regclass) as statement
  from pg_class
  where relrowsecurity and relkind in ('r', 'p') and pg_has_role(relowner, 'USAGE')
    and not (select rolbypassrls or rolsuper from pg_roles where rolname = 'service_role')
    and not exists (select from pg_policy where polrelid = pg_class.oid and polname = 'service_role')`;

/** Gives service_role all rows of all tables by policies, where the server does not let it bypass row-level security. */
export async function ensureServicePolicies(database: Database): Promise<void> {
  const missing = async (tx: Transaction): Promise<string[]> =>
    (await tx.query<{ statement: string }>(MISSING_POLICIES)).map(({ statement }) => statement);
  if ((await database.transaction(missing, { readOnly: true })).length === 0) return;
  await database.transaction(async (tx) => {
    // Another process may create them at the same time.
    await tx.query("select pg_advisory_xact_lock($1)", [POLICIES_LOCK]);
    const statements = await missing(tx);
    if (statements.length > 0) await tx.script(statements.join(";\n"));
  });
}

const POLICIES_LOCK = 4_207_849_484_213;

/**
 * Checks on a migrated database that the roles have their privileges: a backup that is restored before its roles exist loses all
 * grants and policies. Fails with a `DatabaseError` that says what to do.
 */
export async function checkPrivileges(database: Database): Promise<void> {
  const [row] = await database.transaction(
    (tx) => tx.query<{ granted: boolean }>("select has_schema_privilege('anon', 'auth', 'usage') as granted"),
    { readOnly: true },
  );
  if (row?.granted) return;
  throw new DatabaseError(
    "The database was restored from a backup before its roles existed, so its grants and policies are missing. The roles exist now: restore the backup into an empty database again.",
    { code: SQLSTATE.insufficientPrivilege },
  );
}
