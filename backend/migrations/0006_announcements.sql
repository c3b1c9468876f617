-- Announcements for processes behind a transaction pooler, which does not deliver notifications.

-- Processes read the rows that were committed since their last snapshot. An announcement lasts an hour, and need not survive a crash: a
-- process that has lost its connection assumes that it missed some.
create unlogged table auth.announcements (
  transaction_id xid8 not null default pg_current_xact_id(),
  channel text not null,
  payload text not null,
  announced_at timestamptz not null default now()
);
create index announcements_transaction_id on auth.announcements (transaction_id);
alter table auth.announcements enable row level security;
revoke all on auth.announcements from public, anon, authenticated, service_role;

-- Tells all processes about a change. Security definer: triggers run as the writer, who has no rights on the table.
create function auth.announce(channel text, payload text) returns void
  language sql security definer set search_path = ''
as $$
  insert into auth.announcements (channel, payload) values (channel, payload);
  select pg_notify(channel, payload);
$$;
revoke all on function auth.announce(text, text) from public;
grant execute on function auth.announce(text, text) to anon, authenticated, service_role;

create or replace function storage.announce_change() returns trigger
  language plpgsql
as $$
begin
  if tg_table_name = 'buckets' then
    perform auth.announce('storage_changes', old.id);
  else
    -- The payload of a notification is limited to 8000 bytes.
    perform auth.announce('storage_changes', left(old.bucket_id || '/' || old.name, 1900));
  end if;
  return null;
end
$$;
