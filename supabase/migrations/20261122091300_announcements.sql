-- Announces changes through the backend, which also reaches processes behind a transaction pooler. A hosted project has no
-- auth.announce.
create or replace function private.announce_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  changed constant text := tg_table_schema || '.' || tg_table_name;
begin
  if to_regprocedure('auth.announce(text, text)') is null then
    perform pg_notify('table_changes', changed);
  else
    perform auth.announce('table_changes', changed);
  end if;
  return null;
end
$$;
