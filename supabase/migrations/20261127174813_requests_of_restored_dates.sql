-- Undoes the deletion of a record, of a date together with the bookings deleted in the same transaction and with its requests, and returns the
-- number of restored records. `onto` moves a booking to another date, `address` gives a post another slug.
-- Fails with PT404 if there is nothing to restore, PT412 if the record exists, 23503 if the date of a booking does not,
-- 23505 if the slug is taken, PT409 if the date has too few places and PT410 if it is cancelled.
-- Security definer: clients may neither write created_at nor read past the policy of the log.
create or replace function public.undo_delete(kind text, record_id uuid, onto uuid default null, address text default null) returns integer
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
    -- Its deletion removed it from its requests.
    update public.enquiries e set course_id = deletion.record_id
    from public.changes c
    where c.transaction_id = deletion.transaction_id and c.kind = 'enquiries' and c.before ->> 'course_id' = deletion.record_id::text
      and e.id = c.record_id and e.course_id is null;
    update public.course_dates set status = record ->> 'status' where id = deletion.record_id and status <> record ->> 'status';
  end if;
  perform set_config('changes.restoring', 'off', true);
  return restored;
end
$$;
