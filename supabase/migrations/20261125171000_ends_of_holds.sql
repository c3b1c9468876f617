-- A hold also ends when staff set its request to booked by hand, and one whose time is over does not stand in the way of a booking until
-- the next call of release_holds.

drop trigger release_closed_hold on public.enquiries;
create trigger release_closed_hold after update of status on public.enquiries
  for each row when (new.status in ('booked', 'closed') and new.held_until is not null) execute function private.release_closed_hold();

create function private.release_holds_before_booking() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from public.enquiries e where e.course_id = new.course_id and e.held_until <= private.now()) then
    perform private.release_holds_of(new.course_id);
  end if;
  return new;
end
$$;
revoke all on function private.release_holds_before_booking() from public;
create trigger release_over_holds before insert on public.bookings
  for each row when (new.status = 'active') execute function private.release_holds_before_booking();
