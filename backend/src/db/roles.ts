import { SQLSTATE } from "../sqlstates.ts";
import { type Database, DatabaseError, type Transaction } from "./database.ts";

// The statements that give a server the roles of a hosted project, and the connecting role the right to switch to the API roles and to
// pass row-level security, which seeds and restored backups need where a table forces it; no rows if nothing is missing. Since PostgreSQL 16 that right is separate from membership, which the creator of a role has.
const MISSING = `
  with roles (name, attributes, is_api_role) as (
    values ('anon', '', true), ('authenticated', '', true), ('service_role', ' bypassrls', true),
      ('authenticator', '', false), ('supabase_auth_admin', '', false)
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
  union all
  select 3, format('alter role %I bypassrls', current_user)
  from pg_roles
  where rolname = current_user and not rolsuper and not rolbypassrls
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
  const message = `Roles or rights are missing, and the role of DATABASE_URL may not create them. As a superuser, run: ${statements.join("; ")};`;
  return new DatabaseError(message, { code: cause.code, cause });
}

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
