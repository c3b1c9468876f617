-- A hold whose time is over stands in the way of no booking, also not of one that moves, becomes active again or gets more places.

create or replace function private.release_holds_before_booking() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.enquiries e where e.course_id = new.course_id and e.held_until <= private.now()) then
    if tg_op = 'UPDATE' then
      -- In the order of count_places.
      perform from public.course_dates where id in (old.course_id, new.course_id) order by id for no key update;
    end if;
    perform private.release_holds_of(new.course_id);
  end if;
  return new;
end
$$;
drop trigger release_over_holds on public.bookings;
create trigger release_over_holds before insert or update of course_id, places, status on public.bookings
  for each row when (new.status = 'active') execute function private.release_holds_before_booking();
