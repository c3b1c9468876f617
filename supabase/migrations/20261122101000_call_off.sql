-- Calling a course date off: its bookings move to another date of the course or stay on record, and it is cancelled, in one transaction.

-- Returns the former status and the ids of the moved bookings, for the undo. Security invoker: the policies decide who may do it.
-- Errors: PT404 if the date does not exist or may not be changed, PT412 if it is cancelled already, PT409 and PT410 of a booking
-- that does not fit, 22023 if the other date is of another course.
create function public.call_off_date(date_id uuid, move_to uuid default null) returns json
  language plpgsql security invoker set search_path = ''
as $$
declare
  called_off public.course_dates;
  moved uuid[] := '{}';
begin
  perform private.require_staff();
  -- In one order, as every move of a booking locks them.
  perform from public.course_dates d where d.id in (date_id, move_to) order by d.id for no key update;
  select d.* into called_off from public.course_dates d where d.id = date_id for no key update;
  if called_off.id is null then
    raise sqlstate 'PT404' using message = 'This date does not exist';
  elsif called_off.status = 'cancelled' then
    raise sqlstate 'PT412' using message = 'This date is cancelled already';
  end if;
  if move_to is not null then
    if not exists (select from public.course_dates d where d.id = move_to and d.id <> date_id and d.course_name = called_off.course_name) then
      raise invalid_parameter_value using message = 'The bookings can move to another date of the same course only';
    end if;
    with moving as (
      update public.bookings b set course_id = move_to where b.course_id = date_id and b.status = 'active' returning b.id
    )
    select coalesce(array_agg(m.id), '{}') into moved from moving m;
  end if;
  update public.course_dates d set status = 'cancelled' where d.id = date_id;
  return json_build_object('status', called_off.status, 'moved', moved);
end
$$;

-- Undoes it: the date has its former status again, and the bookings that are still on the other date move back. Returns their number.
create function public.undo_call_off(date_id uuid, former_status text, moved uuid[], moved_to uuid default null) returns integer
  language plpgsql security invoker set search_path = ''
as $$
declare
  returned integer;
begin
  perform private.require_staff();
  perform from public.course_dates d where d.id in (date_id, moved_to) order by d.id for no key update;
  update public.course_dates d set status = former_status where d.id = date_id and d.status = 'cancelled';
  if not found then
    raise sqlstate 'PT412' using message = 'This date is not cancelled any more';
  end if;
  update public.bookings b set course_id = date_id where b.id = any (moved) and b.course_id = moved_to and b.status = 'active';
  get diagnostics returned = row_count;
  return returned;
end
$$;

revoke all on function public.call_off_date(uuid, uuid) from public, anon;
revoke all on function public.undo_call_off(uuid, text, uuid[], uuid) from public, anon;
grant execute on function public.call_off_date(uuid, uuid) to authenticated;
grant execute on function public.undo_call_off(uuid, text, uuid[], uuid) to authenticated;
-- Both run as their caller.
grant execute on function private.require_staff() to authenticated;
