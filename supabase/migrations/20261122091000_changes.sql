-- The change log: who added, changed or deleted a course date, post or booking, with the values before and after.
-- Values are stored for 30 days, entries for 12 months (private.retention_periods). Deletions can be undone for 30 days.

create table public.changes (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('course_dates', 'blog_posts', 'bookings')),
  record_id uuid not null,
  act text not null check (act in ('insert', 'update', 'delete', 'restore')),
  -- Staff by account; the service by secret key; else the database itself, for its owner or a migration.
  actor text not null check (actor in ('staff', 'service', 'database')),
  -- No foreign key, and the address at that time: the values outlive the account.
  actor_id uuid,
  actor_email text,
  -- The columns that an update changed.
  columns text[] not null default '{}',
  -- Null after 30 days: the title of the record, and its values; for an update those that changed.
  about jsonb,
  before jsonb,
  after jsonb,
  -- Records deleted in one transaction are restored together.
  transaction_id bigint not null default pg_current_xact_id()::text::bigint
);
create index changes_at_idx on public.changes (at desc, id desc);
create index changes_kind_idx on public.changes (kind, at desc, id desc);
create index changes_record_idx on public.changes (record_id, id desc);
create index changes_actor_idx on public.changes (actor_email, at desc, id desc);
create index changes_values_idx on public.changes (at) where about is not null;
create index changes_deleted_idx on public.changes (transaction_id) where act = 'delete';

alter table public.changes enable row level security;
alter table public.changes force row level security;
-- Only the triggers below write it.
revoke all on public.changes from anon, authenticated, service_role;
grant select on public.changes to authenticated, service_role;

-- Entries past their retention period are hidden until the job deletes them.
create policy "staff read changes" on public.changes for select to authenticated
  using (
    (select private.is_staff())
    and at > (select private.retention_cutoff('changes'))
    and (about is null or at > (select private.retention_cutoff('change_values')))
  );

-- Returns the values from which the title of a record is made.
create function private.about_record(kind text, record jsonb) returns jsonb
  language sql stable set search_path = ''
as $$
  select case kind
    when 'blog_posts' then jsonb_build_object('title', record -> 'title')
    when 'course_dates' then jsonb_build_object('course_name', record -> 'course_name', 'course_date', record -> 'course_date')
    else jsonb_build_object('name', record -> 'name') || coalesce((
      select jsonb_build_object('course_name', d.course_name, 'course_date', d.course_date)
      from public.course_dates d where d.id = (record ->> 'course_id')::uuid
    ), '{}')
  end
$$;

-- Security definer: nobody else may write the log.
create function private.record_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  -- Computed by the database.
  derived constant text[] := '{updated_at,updated_by,places_taken,places_left}';
  old_record constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - derived end;
  new_record constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - derived end;
  record constant jsonb := coalesce(new_record, old_record);
  is_draft constant boolean := tg_table_name = 'blog_posts'
    and old_record ->> 'published_at' is null and new_record ->> 'published_at' is null;
  changed text[] := '{}';
  changed_from jsonb := old_record;
  changed_to jsonb := new_record;
begin
  if tg_op = 'UPDATE' then
    select array_agg(o.key order by o.key), jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, new_record -> o.key)
    into changed, changed_from, changed_to
    from jsonb_each(old_record) as o where o.value is distinct from new_record -> o.key;
    if changed is null then
      return null;
    end if;
  end if;

  -- Autosave writes a draft many times: updates by one person within ten minutes of each other are one entry.
  if tg_op = 'UPDATE' and is_draft then
    update public.changes c set
      at = clock_timestamp(), about = private.about_record(tg_table_name, record),
      columns = array(select unnest(c.columns || changed) as name group by name order by name),
      before = changed_from || c.before, after = c.after || changed_to
    where c.id = (select max(l.id) from public.changes l where l.record_id = (record ->> 'id')::uuid)
      and c.act = 'update' and c.actor_id = auth.uid() and c.at > now() - interval '10 minutes' and c.before ->> 'published_at' is null;
    if found then
      return null;
    end if;
  end if;

  insert into public.changes (kind, record_id, act, actor, actor_id, actor_email, columns, about, before, after)
  values (
    tg_table_name, (record ->> 'id')::uuid,
    case when tg_op = 'INSERT' and current_setting('changes.restoring', true) = 'on' then 'restore' else lower(tg_op) end,
    case auth.role() when 'authenticated' then 'staff' when 'service_role' then 'service' else 'database' end,
    auth.uid(), (select coalesce(u.email, u.phone) from auth.users u where u.id = auth.uid()),
    changed, private.about_record(tg_table_name, record), changed_from, changed_to
  );
  return null;
end
$$;

-- The retention job deletes bookings without an entry.
create trigger record_change after insert or update or delete on public.bookings
  for each row when (current_setting('changes.retention', true) is distinct from 'on') execute function private.record_change();
create trigger record_change after insert or update or delete on public.blog_posts
  for each row execute function private.record_change();
create trigger record_change after insert or update or delete on public.course_dates
  for each row execute function private.record_change();

-- Inserts a deleted row again. Columns that no longer exist are left out, new ones get their defaults.
create function private.put_back(kind text, record jsonb) returns void
  language plpgsql set search_path = ''
as $$
declare
  columns text;
begin
  select string_agg(quote_ident(a.attname), ', ') into columns
  from pg_catalog.pg_attribute a
  where a.attrelid = format('public.%I', kind)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and record ? a.attname;
  execute format('insert into public.%I (%s) select %s from jsonb_populate_record(null::public.%I, $1)', kind, columns, columns, kind) using record;
end
$$;

-- Inserts a deleted booking again, without its enquiry if that no longer exists.
create function private.put_back_booking(booking jsonb) returns void
  language sql set search_path = ''
as $$
  select private.put_back('bookings', booking || case
    when exists (select from public.enquiries e where e.id = (booking ->> 'enquiry_id')::uuid) then '{}'
    else '{"enquiry_id": null}'::jsonb
  end)
$$;

-- Undoes the deletion of a record, of a date together with the bookings deleted in the same transaction, and returns the number
-- of restored records. `onto` moves a booking to another date, `address` gives a post another slug.
-- Fails with PT404 if there is nothing to restore, PT412 if the record exists, 23503 if the date of a booking does not,
-- 23505 if the slug is taken, PT409 if the date has too few places and PT410 if it is cancelled.
-- Security definer: clients may neither write created_at nor read past the policy of the log.
create function public.undo_delete(kind text, record_id uuid, onto uuid default null, address text default null) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  deletion public.changes;
  record jsonb;
  exists_already boolean;
  booking jsonb;
  restored integer := 1;
begin
  perform private.require_staff();
  -- One at a time: the second of two calls sees what the first restored.
  perform pg_advisory_xact_lock(hashtextextended('public.undo_delete', 0));
  select c.* into deletion from public.changes c
  where c.kind = undo_delete.kind and c.record_id = undo_delete.record_id and c.act = 'delete'
  order by c.id desc limit 1;
  if deletion.before is null or deletion.at <= private.retention_cutoff('change_values') then
    raise sqlstate 'PT404' using message = 'No such record was deleted in the last 30 days';
  end if;
  execute format('select exists (select from public.%I where id = $1)', deletion.kind) into exists_already using deletion.record_id;
  if exists_already then
    raise sqlstate 'PT412' using message = 'The record exists already';
  end if;

  perform set_config('changes.restoring', 'on', true);
  record := deletion.before;
  if deletion.kind = 'blog_posts' then
    perform private.put_back(deletion.kind, record || case when address is null then '{}' else jsonb_build_object('slug', address) end);
  elsif deletion.kind = 'bookings' then
    perform private.put_back_booking(record || case when onto is null then '{}' else jsonb_build_object('course_id', onto) end);
  else
    -- Open while its bookings are restored: a cancelled date accepts none.
    perform private.put_back(deletion.kind, record || '{"status": "open"}');
    for booking in
      select c.before from public.changes c
      where c.transaction_id = deletion.transaction_id and c.act = 'delete' and c.kind = 'bookings'
        and c.before ->> 'course_id' = deletion.record_id::text
        and not exists (select from public.bookings b where b.id = c.record_id)
      order by c.id
    loop
      perform private.put_back_booking(booking);
      restored := restored + 1;
    end loop;
    update public.course_dates set status = record ->> 'status' where id = deletion.record_id and status <> record ->> 'status';
  end if;
  perform set_config('changes.restoring', 'off', true);
  return restored;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.undo_delete(text, uuid, uuid, text) from public, anon;
grant execute on function public.undo_delete(text, uuid, uuid, text) to authenticated;
