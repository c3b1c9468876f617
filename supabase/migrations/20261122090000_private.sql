-- Functions that several tables use. API clients cannot call this schema.

create schema if not exists private;
grant usage on schema private to anon, authenticated, service_role;

-- The current time for limits, retention and statistics. Tests replace this function to set the clock.
-- Without `set search_path`, so that the planner can inline it and use indexes.
create function private.now() returns timestamptz
  language sql stable parallel safe
as $$ select pg_catalog.now() $$;

-- The current day in London, where the provider works.
create function private.today() returns date
  language sql stable parallel safe
as $$ select (private.now() at time zone 'Europe/London')::date $$;

-- Tells listeners which table changed, once per statement. The site then drops the cached pages that show the table.
-- Security definer: writers need no rights on pg_notify.
create function private.announce_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('table_changes', tg_table_schema || '.' || tg_table_name);
  return null;
end
$$;

-- Sets updated_at, and updated_by where the table has it, when any column changes. The site detects lost updates by updated_at.
-- The arguments name derived columns, which the database computes: a change of these alone is nobody's edit.
create function private.stamp_update() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  derived constant text[] := coalesce(tg_argv::text[], '{}') || '{updated_at,updated_by}';
begin
  if tg_op = 'UPDATE' and (to_jsonb(new) - derived) = (to_jsonb(old) - derived) then
    return new;
  end if;
  new.updated_at := clock_timestamp();
  if to_jsonb(new) ? 'updated_by' then
    new.updated_by := auth.uid();
  end if;
  return new;
end
$$;

-- Refuses updates of the columns named in the arguments by API clients. Functions of the database may change them.
create function private.protect_columns() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  changed text;
begin
  if current_user in ('anon', 'authenticated', 'service_role') then
    select string_agg(name, ', ') into changed
    from unnest(tg_argv) as name
    where to_jsonb(new) -> name is distinct from to_jsonb(old) -> name;
    if changed is not null then
      raise insufficient_privilege using message = format('These columns of %s cannot be changed: %s', tg_table_name, changed);
    end if;
  end if;
  return new;
end
$$;

revoke all on all functions in schema private from public;
grant execute on function private.now(), private.today() to anon, authenticated, service_role;
