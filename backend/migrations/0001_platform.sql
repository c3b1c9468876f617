-- The roles, schemas and functions that a hosted Supabase project has before its first migration.

-- Roles belong to the cluster, which several databases may share. Two databases may migrate at the same time: the second
-- one waits for the first and then fails with a duplicate, which is ignored.
do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', ''),
      ('authenticated', ''),
      ('service_role', 'bypassrls'),
      ('authenticator', ''),
      ('supabase_auth_admin', '')
    ) as roles (name, attributes)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      begin
        execute format('create role %I nologin noinherit %s', wanted.name, wanted.attributes);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
  end loop;
end
$$;

-- The connecting role must be able to switch to each API role. Since PostgreSQL 16 the SET option is separate from
-- membership, which the creator of a role has automatically.
do $$
declare
  api_role text;
  needed constant text := case when current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER' end;
begin
  foreach api_role in array array['anon', 'authenticated', 'service_role'] loop
    begin
      if not pg_has_role(current_user, api_role, needed) then
        execute format('grant %I to %I', api_role, current_user);
      end if;
      if not pg_has_role('authenticator', api_role, 'MEMBER') then
        execute format('grant %I to authenticator', api_role);
      end if;
    exception when unique_violation then
      null; -- Another database granted it at the same time.
    end;
  end loop;
end
$$;

create schema if not exists auth;
create schema if not exists extensions;
create schema if not exists supabase_migrations;

-- Databases created before PostgreSQL 15 let every role create objects in public.
revoke create on schema public from public;
grant usage on schema public, auth, extensions to anon, authenticated, service_role;
grant usage on schema auth to supabase_auth_admin;

-- There are no default privileges on tables, as in hosted projects since 30 October 2026. A migration without grants fails
-- here as it does there. https://github.com/orgs/supabase/discussions/45329

create or replace function auth.jwt() returns jsonb
  language sql stable
as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;

create or replace function auth.uid() returns uuid
  language sql stable
as $$ select nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', '')::uuid $$;

create or replace function auth.role() returns text
  language sql stable
as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role' $$;

create or replace function auth.email() returns text
  language sql stable
as $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email' $$;

grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to public;

-- Raises the error for a token that names a role which PostgREST's own login role, authenticator, cannot switch to. The
-- connecting role may be a superuser; a token must not make its bearer one.
create function auth.refuse_role(role_name text) returns text
  language plpgsql set search_path = ''
as $$
begin
  raise insufficient_privilege using message = format('permission denied to set role "%s"', role_name);
end
$$;
revoke all on function auth.refuse_role(text) from public;

-- The last start of each scheduled job: of several processes on this database, one runs a job per interval.
create table auth.scheduled_jobs (
  name text primary key,
  started_at timestamptz not null
);
alter table auth.scheduled_jobs enable row level security;
revoke all on auth.scheduled_jobs from public, anon, authenticated, service_role;
