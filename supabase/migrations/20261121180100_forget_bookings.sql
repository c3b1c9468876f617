-- Bookings are kept for six years after the end of the financial year they fall in, as tax law asks and the privacy policy says.

-- What is found to be too old; nearly none at any time, so that looking costs nothing.
create index bookings_created_at_idx on public.bookings (created_at);

-- The first day of the oldest financial year whose bookings are kept. The years of the provider begin on 1 April, in Britain.
create function private.bookings_kept_since() returns date
  language sql stable set search_path = ''
as $$
  select (date_trunc('year', now() at time zone 'Europe/London' - interval '3 months') + interval '3 months' - interval '6 years')::date
$$;
revoke all on function private.bookings_kept_since() from public;

-- A booking falls in the year in which it was taken or its course ended, whichever is later. In pieces; rows in use are left to the
-- next time, their dates too, so that nobody waits and no two wait for each other.
create function private.forget_bookings() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  first_day constant date := private.bookings_kept_since();
  begin_of_it constant timestamptz := first_day::timestamp at time zone 'Europe/London';
begin
  perform set_config('trail.forgetting', 'on', true);
  delete from public.bookings where id in (
    select b.id from public.bookings b join public.course_dates d on d.id = b.course_id
    where b.created_at < begin_of_it and d.course_date < begin_of_it and coalesce(d.end_date < first_day, true)
    order by b.created_at limit 1000
    for update of b skip locked for no key update of d skip locked
  );
  perform set_config('trail.forgetting', 'off', true);
  return null;
end
$$;
revoke all on function private.forget_bookings() from public;

create trigger forget_bookings after insert on public.bookings
  for each statement execute function private.forget_bookings();
-- Every ten minutes in which anybody visits the site, so that it happens also where the office books nobody for weeks.
create trigger forget_bookings after insert on private.view_salts
  for each statement execute function private.forget_bookings();

-- What goes because its time is over is no change of anybody's, and is not kept for another thirty days.
drop trigger record_change on public.bookings;
create trigger record_change after insert or update or delete on public.bookings
  for each row when (current_setting('trail.forgetting', true) is distinct from 'on') execute function private.record_change();
