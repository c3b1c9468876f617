-- Schema `realtime` as on hosted projects, and the outbox of database changes (decision 041).

create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role;

-- The tables whose changes clients may subscribe to. Projects add tables to it.
do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;

-- Messages to channels. Policies on this table say who may read and write on a private topic.
create table realtime.messages (
  id uuid primary key default gen_random_uuid(),
  topic text not null,
  extension text not null,
  event text,
  payload jsonb,
  binary_payload bytea,
  private boolean default false,
  inserted_at timestamp not null default (now() at time zone 'utc'),
  updated_at timestamp not null default (now() at time zone 'utc')
);
create index messages_of_topic on realtime.messages (topic, inserted_at);
create index messages_inserted_at on realtime.messages (inserted_at);
alter table realtime.messages enable row level security;
revoke all on realtime.messages from public, anon, authenticated, service_role;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;

-- Returns the topic of the request, for policies.
create function realtime.topic() returns text
  language sql stable set search_path = ''
as $$ select nullif(current_setting('realtime.topic', true), '') $$;

-- The processes that read the outbox. A process renews its lease; changes are recorded while one that wants them has a lease.
create table realtime.readers (
  id uuid primary key,
  wants_changes boolean not null default false,
  leased_until timestamptz not null,
  -- The process has read all earlier transactions.
  read_to xid8 not null default pg_snapshot_xmin(pg_current_snapshot())
);

-- Changes and messages for the readers, written in the transaction that made them. `id` orders the rows of one transaction.
create table realtime.outbox (
  id bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  recorded_at timestamptz not null default clock_timestamp(),
  relation oid,
  operation text,
  record jsonb,
  old_record jsonb,
  -- A message instead of a change: its fields, and the process that sent it, if it was one.
  message jsonb,
  sender uuid
);
create index outbox_transaction_id on realtime.outbox (transaction_id);

alter table realtime.readers enable row level security;
alter table realtime.outbox enable row level security;
revoke all on realtime.readers, realtime.outbox from public, anon, authenticated, service_role;

-- Tells the readers, once in a transaction, that the outbox has rows for them.
create function realtime.announce_outbox() returns void
  language plpgsql set search_path = ''
as $$
declare
  current_id constant text := pg_current_xact_id()::text;
begin
  if current_setting('realtime.announced', true) is distinct from current_id then
    perform auth.announce('realtime', 'outbox');
    perform set_config('realtime.announced', current_id, true);
  end if;
end
$$;
revoke all on function realtime.announce_outbox() from public;

-- The settings make the text of times and binary data independent of the writer's session.
create function realtime.store_change(relation oid, operation text, new_row record, old_row record) returns void
  language plpgsql set search_path = '' set timezone = 'UTC' set intervalstyle = 'postgres' set bytea_output = 'hex'
as $$
begin
  insert into realtime.outbox (relation, operation, record, old_record)
  values (relation, operation, case when operation <> 'DELETE' then to_jsonb(new_row) end, case when operation <> 'INSERT' then to_jsonb(old_row) end);
end
$$;
revoke all on function realtime.store_change(oid, text, record, record) from public;

-- Records a change of a row while somebody wants it.
-- Security definer: triggers run as the writer, who has no rights on the outbox.
create function realtime.record_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from realtime.readers where wants_changes and leased_until > now()) then
    perform realtime.store_change(tg_relid, tg_op, new, old);
    perform realtime.announce_outbox();
  end if;
  return null;
end
$$;
revoke all on function realtime.record_change() from public;

-- Puts the trigger on each table of the publication and removes it from all others. Reads of the publication are cheap; tables are
-- locked only if something changed. A table that is in use for long, or belongs to another role, is left out: nobody can subscribe to it.
create function realtime.follow_publication() returns void
  language plpgsql set search_path = '' set lock_timeout = '2s'
as $$
declare
  relation regclass;
begin
  for relation in
    select format('%I.%I', schemaname, tablename)::regclass from pg_catalog.pg_publication_tables where pubname = 'supabase_realtime'
    except select tgrelid from pg_catalog.pg_trigger where tgname = 'realtime_record_change'
  loop
    begin
      execute format('create or replace trigger realtime_record_change after insert or update or delete on %s
        for each row execute function realtime.record_change()', relation);
    exception when insufficient_privilege or lock_not_available then
      raise warning 'changes of % are not recorded: %', relation, sqlerrm;
    end;
  end loop;
  for relation in
    select tgrelid from pg_catalog.pg_trigger where tgname = 'realtime_record_change' and tgparentid = 0
    except select format('%I.%I', schemaname, tablename)::regclass from pg_catalog.pg_publication_tables where pubname = 'supabase_realtime'
  loop
    begin
      execute format('drop trigger if exists realtime_record_change on %s', relation);
    exception when insufficient_privilege or lock_not_available then
      raise warning 'changes of % are still recorded: %', relation, sqlerrm;
    end;
  end loop;
end
$$;
revoke all on function realtime.follow_publication() from public;

-- Returns the positions, from 1, of the rows that the policies of a table permit to the current role: `r` to read, `a` to insert.
-- The rows need not be in the table, so the policies can be asked about a deleted row, about a row as a change left it, and about a
-- topic without messages. The conditions are those that CREATE POLICY stored, written by Postgres.
create function realtime.permitted(relation regclass, command "char", records jsonb) returns integer[]
  language plpgsql stable set search_path = public, extensions, pg_temp
as $$
declare
  condition text;
  positions integer[];
begin
  if not row_security_active(relation) then
    return array(select generate_series(1, jsonb_array_length(records)));
  end if;
  select format('(%s) and (%s)',
      coalesce(string_agg(expression, ' or ') filter (where polpermissive), 'false'),
      coalesce(string_agg(expression, ' and ') filter (where not polpermissive), 'true'))
    into condition
  from (
    select polpermissive,
      '(' || pg_get_expr(case when command = 'a' then coalesce(polwithcheck, polqual) else polqual end, polrelid) || ')' as expression
    from pg_catalog.pg_policy
    where polrelid = relation and polcmd in (command, '*')
      and (polroles = '{0}' or exists (select from unnest(polroles) as member where pg_has_role(member, 'usage')))
  ) as policies
  where expression is not null;
  execute format('select array_agg("realtime.position"::integer)
      from jsonb_array_elements($1) with ordinality as "realtime.given" ("realtime.record", "realtime.position")
      cross join lateral jsonb_populate_record(null::%s, "realtime.record") as %I
      where %s', relation, (select relname from pg_catalog.pg_class where oid = relation), condition)
    into positions using records;
  return coalesce(positions, '{}');
end
$$;
revoke all on function realtime.permitted(regclass, "char", jsonb) from public;
grant execute on function realtime.permitted(regclass, "char", jsonb) to anon, authenticated, service_role;

-- Puts a new message into the outbox, also for readers that want no changes.
-- Security definer: triggers run as the sender, who has no rights on the outbox.
create function realtime.queue_message() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.extension = 'broadcast' and exists (select from realtime.readers where leased_until > now()) then
    insert into realtime.outbox (message) values (jsonb_build_object(
      'id', new.id, 'topic', new.topic, 'event', new.event, 'private', coalesce(new.private, false),
      'binary', new.binary_payload is not null,
      'payload', case when new.binary_payload is null then new.payload else to_jsonb(encode(new.binary_payload, 'base64')) end));
    perform realtime.announce_outbox();
  end if;
  return null;
end
$$;
revoke all on function realtime.queue_message() from public;
create trigger queue_message after insert on realtime.messages for each row execute function realtime.queue_message();

-- Sends a message to a topic. A failure is a warning, so that it does not fail the transaction.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
  language plpgsql set search_path = ''
as $$
declare
  message_id constant uuid := gen_random_uuid();
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, topic, extension, event, private, payload)
  values (message_id, topic, 'broadcast', event, private,
    case when jsonb_typeof(payload) = 'object' and not payload ? 'id' then payload || jsonb_build_object('id', message_id) else payload end);
exception when others then
  raise warning 'realtime.send: %', sqlerrm;
end
$$;

-- Sends bytes to a topic, as realtime.send sends JSON.
create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
  language plpgsql set search_path = ''
as $$
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (topic, extension, event, private, binary_payload)
  values (topic, 'broadcast', event, private, payload);
exception when others then
  raise warning 'realtime.send_binary: %', sqlerrm;
end
$$;

-- Sends a change of a row to a private topic; for triggers of projects.
create function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record, level text default 'ROW'
) returns void
  language plpgsql set search_path = ''
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  perform realtime.send(
    jsonb_build_object('old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema),
    event_name, topic_name);
end
$$;
grant execute on function realtime.topic(), realtime.send(jsonb, text, text, boolean), realtime.send_binary(bytea, text, text, boolean),
  realtime.broadcast_changes(text, text, text, text, text, record, record, text) to anon, authenticated, service_role;
