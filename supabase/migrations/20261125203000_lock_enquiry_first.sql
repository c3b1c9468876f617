-- A transaction that changes a request and the places of its date locks the request first. A booking locked the date first, and two people
-- who closed and booked one held request at the same time waited for each other until one of them got an error.

create or replace function private.release_hold_of_booking() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Also without a hold: mark_enquiry_booked locks the enquiry after count_places locked the date.
  perform from public.enquiries where id = new.enquiry_id for no key update;
  update public.enquiries set held_until = null where id = new.enquiry_id and held_until is not null;
  return new;
end
$$;

-- As before, but it does not lock the date.
create or replace function public.book_request(enquiry uuid, seen timestamptz) returns uuid
  language plpgsql set search_path = ''
as $$
declare
  request public.enquiries;
  booking_id uuid;
begin
  select e.* into request from public.enquiries e where e.id = enquiry for no key update;
  if request.course_id is null then
    raise sqlstate 'PT404' using message = 'The request or its date does not exist any more';
  end if;
  if request.updated_at <> seen then
    raise sqlstate 'PT412' using message = 'Somebody else changed this enquiry';
  end if;
  insert into public.bookings (course_id, enquiry_id, name, email, phone, places, note)
  values (
    request.course_id, request.id, request.name,
    case when request.reply_to like '%@%' then request.reply_to end,
    case when request.reply_to like '%@%' then request.phone else request.reply_to end,
    request.places, nullif(request.message, '')
  )
  returning id into booking_id;
  return booking_id;
end
$$;
