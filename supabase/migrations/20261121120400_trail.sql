-- Every change of a date, a post or a booking: who, when, what stood before and after. And taking back a deletion.
-- What stood there is kept for 30 days, who changed what for 12 months: long enough to put a mistake right and to answer for it.

create table public.trail (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('course_dates', 'blog_posts', 'bookings')),
  record_id uuid not null,
  act text not null check (act in ('insert', 'update', 'delete', 'restore')),
  -- Staff by their account; the service by its secret key; else the database itself, as its owner or a migration.
  actor text not null check (actor in ('staff', 'service', 'database')),
  -- No foreign key, and the address as it was: the answer outlives the account.
  actor_id uuid,
  actor_email text,
  -- Which columns an update changed.
  columns text[] not null default '{}',
  -- Null after 30 days: what the record is called by, and its values; of an update those it changed.
  about jsonb,
  before jsonb,
  after jsonb,
  -- What went together comes back together.
  transaction_id bigint not null default pg_current_xact_id()::text::bigint
);
create index trail_at_idx on public.trail (at desc, id desc);
create index trail_kind_idx on public.trail (kind, at desc, id desc);
create index trail_record_idx on public.trail (record_id, id desc);
create index trail_actor_idx on public.trail (actor_email, at desc, id desc);
create index trail_values_idx on public.trail (at) where about is not null;
create index trail_deleted_idx on public.trail (transaction_id) where act = 'delete';

alter table public.trail enable row level security;
alter table public.trail force row level security;
-- Nobody writes it: the triggers below do.
revoke all on public.trail from anon, authenticated, service_role;
grant select on public.trail to authenticated, service_role;

-- What should have been forgotten is hidden until it is.
create policy "staff read the trail" on public.trail for select to authenticated
  using ((select private.is_staff()) and at > now() - interval '12 months' and (about is null or at > now() - interval '30 days'));

-- What a record is called by, out of its values.
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
revoke all on function private.about_record(text, jsonb) from public;

-- Security definer because nobody else may write the trail.
create function private.record_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  -- What the database keeps by itself.
  derived constant text[] := '{updated_at,updated_by,places_taken,places_left}';
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - derived end;
  becomes jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - derived end;
  whole jsonb := coalesce(becomes, was);
  unpublished boolean := tg_table_name = 'blog_posts' and was ->> 'published_at' is null and becomes ->> 'published_at' is null;
  changed text[] := '{}';
  changed_from jsonb := was;
  changed_to jsonb := becomes;
begin
  if tg_op = 'UPDATE' then
    select array_agg(w.key order by w.key), jsonb_object_agg(w.key, w.value), jsonb_object_agg(w.key, becomes -> w.key)
    into changed, changed_from, changed_to
    from jsonb_each(was) as w where w.value is distinct from becomes -> w.key;
    if changed is null then
      return null;
    end if;
  end if;

  -- A draft is saved while it is being written: one sitting is one change.
  if tg_op = 'UPDATE' and unpublished then
    update public.trail t set
      at = clock_timestamp(), about = private.about_record(tg_table_name, whole),
      columns = array(select unnest(t.columns || changed) as name group by name order by name),
      before = changed_from || t.before, after = t.after || changed_to
    where t.id = (select max(l.id) from public.trail l where l.record_id = (whole ->> 'id')::uuid)
      and t.act = 'update' and t.actor_id = auth.uid() and t.at > now() - interval '10 minutes' and t.before ->> 'published_at' is null;
    if found then
      return null;
    end if;
  end if;

  insert into public.trail (kind, record_id, act, actor, actor_id, actor_email, columns, about, before, after)
  values (
    tg_table_name, (whole ->> 'id')::uuid,
    case when tg_op = 'INSERT' and current_setting('trail.restoring', true) = 'on' then 'restore' else lower(tg_op) end,
    case auth.role() when 'authenticated' then 'staff' when 'service_role' then 'service' else 'database' end,
    auth.uid(), (select coalesce(u.email, u.phone) from auth.users u where u.id = auth.uid()),
    changed, private.about_record(tg_table_name, whole), changed_from, changed_to
  );
  return null;
end
$$;
revoke all on function private.record_change() from public;

create trigger record_change after insert or update or delete on public.bookings
  for each row execute function private.record_change();
create trigger record_change after insert or update or delete on public.blog_posts
  for each row execute function private.record_change();
create trigger record_change after insert or delete on public.course_dates
  for each row execute function private.record_change();
-- Not for how full a date is: that is the bookings' change.
create trigger record_change_update after update on public.course_dates
  for each row when (old.places_taken = new.places_taken) execute function private.record_change();

-- Forgets what must not be kept, in pieces; rows in use are left to the next time.
create function private.forget_trail() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.trail set about = null, before = null, after = null where id in (
    select t.id from public.trail t
    where t.about is not null and t.at <= now() - interval '30 days' order by t.at limit 1000 for update skip locked
  );
  delete from public.trail where id in (
    select t.id from public.trail t where t.at <= now() - interval '12 months' order by t.at limit 1000 for update skip locked
  );
  return null;
end
$$;
revoke all on function private.forget_trail() from public;

create trigger forget_trail after insert or delete on public.bookings
  for each statement execute function private.forget_trail();
create trigger forget_trail after insert or update or delete on public.blog_posts
  for each statement execute function private.forget_trail();
create trigger forget_trail after insert or delete on public.course_dates
  for each statement execute function private.forget_trail();
-- Every ten minutes in which anybody visits the site, so that it happens also where the office changes nothing for weeks.
create trigger forget_trail after insert on private.view_salts
  for each statement execute function private.forget_trail();

-- Puts a deleted row back as it was; columns that are gone since are left out, new ones begin with their default.
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
revoke all on function private.put_back(text, jsonb) from public;

-- Takes the deletion of a record back within 30 days, a date with the bookings that were deleted together with it; gives how many
-- records came back. A booking may be put on another date (`onto`), a post at another address (`address`).
-- Fails with PT404 where there is nothing to bring back, PT412 where it is there already, 23503 where a booking's date is gone,
-- 23505 where a post's address is taken, PT409 where the date is too full and PT410 where it is cancelled.
-- Security definer because nobody may write when a record was made, nor read the trail past its policy.
create function public.undo_delete(kind text, record_id uuid, onto uuid default null, address text default null) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  gone public.trail;
  wanted jsonb;
  there boolean;
  together jsonb;
  restored integer := 1;
begin
  if not coalesce(private.is_staff(), false) then
    raise insufficient_privilege using message = 'Not authenticated';
  end if;
  -- One after the other, so that the second of two sees what the first brought back.
  perform pg_advisory_xact_lock(hashtextextended('public.undo_delete', 0));
  select t.* into gone from public.trail t
  where t.kind = undo_delete.kind and t.record_id = undo_delete.record_id and t.act = 'delete'
  order by t.id desc limit 1;
  if gone.before is null or gone.at <= now() - interval '30 days' then
    raise sqlstate 'PT404' using message = 'Nothing deleted in the last 30 days is kept under this name';
  end if;
  execute format('select exists (select from public.%I where id = $1)', gone.kind) into there using gone.record_id;
  if there then
    raise sqlstate 'PT412' using message = 'It is there already';
  end if;

  perform set_config('trail.restoring', 'on', true);
  wanted := gone.before;
  if gone.kind = 'blog_posts' then
    perform private.put_back(gone.kind, wanted || case when address is null then '{}' else jsonb_build_object('slug', address) end);
  elsif gone.kind = 'bookings' then
    perform private.put_back_booking(wanted || case when onto is null then '{}' else jsonb_build_object('course_id', onto) end);
  else
    -- Open while its bookings come back, since a cancelled date takes none.
    perform private.put_back(gone.kind, wanted || '{"status": "open"}');
    for together in
      select t.before from public.trail t
      where t.transaction_id = gone.transaction_id and t.act = 'delete' and t.kind = 'bookings' and t.before ->> 'course_id' = gone.record_id::text
        and not exists (select from public.bookings b where b.id = t.record_id)
      order by t.id
    loop
      perform private.put_back_booking(together);
      restored := restored + 1;
    end loop;
    update public.course_dates set status = wanted ->> 'status' where id = gone.record_id and status <> wanted ->> 'status';
  end if;
  perform set_config('trail.restoring', 'off', true);
  return restored;
end
$$;
revoke all on function public.undo_delete(text, uuid, uuid, text) from public, anon;
grant execute on function public.undo_delete(text, uuid, uuid, text) to authenticated;

-- The enquiry a booking came of may be gone since.
create function private.put_back_booking(booking jsonb) returns void
  language sql set search_path = ''
as $$
  select private.put_back('bookings', booking || case
    when exists (select from public.enquiries e where e.id = (booking ->> 'enquiry_id')::uuid) then '{}'
    else '{"enquiry_id": null}'::jsonb
  end)
$$;
revoke all on function private.put_back_booking(jsonb) from public;
