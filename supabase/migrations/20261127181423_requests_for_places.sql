-- A request for places reads its date after it has the lock of the date: it could hold places on a date that was cancelled meanwhile. And a
-- request of somebody who is on the waiting list already changes nothing there, so its enquiry is new, and the office reads it: anybody could
-- have put the person on the list, for another number of places. The answer says until when the places are held and whether a mail
-- confirms it, so that the page promises nothing else.

-- Null if there is no such request.
create function private.answer_to_request(request_id uuid) returns json
  language sql stable set search_path = ''
as $$
  select json_build_object(
    'outcome', case when e.held_until is null then e.request else 'held' end,
    'held_until', e.held_until,
    'confirmed', exists (select from private.enquiry_mails m where m.enquiry_id = e.id and m.kind = 'confirmation')
  )
  from public.enquiries e where e.id = request_id
$$;

revoke all on function private.answer_to_request(uuid) from public;

drop function public.request_place(uuid, uuid, text, integer, text, text, text, text);

-- The answer is an object: `outcome` and, of a stored request, `held_until` and `confirmed`. A stranger cannot fill a date: at most half of its
-- places are held at a time.
create function public.request_place(
  id uuid, course_id uuid, name text, places integer, email text default null, phone text default null, message text default '',
  client_network text default null
) returns json
  language plpgsql security definer set search_path = ''
as $$
declare
  hold_hours constant integer := public.hold_hours();
  date public.course_dates;
  kind text;
  held_until timestamptz;
  has_joined boolean := false;
  answer json;
begin
  perform pg_advisory_xact_lock(hashtextextended('enquiries ' || id, 0));
  answer := private.answer_to_request(request_place.id);
  if answer is not null then
    return answer;
  end if;
  if hold_hours is not null then
    -- Also locks the date: nobody cancels it meanwhile, and no place is held twice.
    perform private.release_holds_of(request_place.course_id);
  end if;
  select d.* into date from public.course_dates d where d.id = request_place.course_id;
  if date.id is null or date.status in ('cancelled', 'postponed') or date.course_date <= private.now() then
    return json_build_object('outcome', 'closed');
  end if;
  if client_network is not null and not private.take_rate_limit('enquiry', client_network)
    or not private.take_rate_limit('enquiries', '') then
    return json_build_object('outcome', 'rate_limited');
  end if;
  kind := case when date.status = 'full' or date.places_left <= 0 then 'waiting' else 'place' end;
  if hold_hours is not null and kind = 'place' and places <= date.places_left and places <= (date.capacity + 1) / 2 - (
    select coalesce(sum(e.places), 0) from public.enquiries e where e.course_id = date.id and e.held_until is not null
  ) then
    held_until := least(private.now() + make_interval(hours => hold_hours), date.course_date);
  end if;
  if kind = 'waiting' then
    begin
      insert into public.waiting_list (course_id, name, email, phone, places, note)
      values (date.id, request_place.name, request_place.email, request_place.phone, request_place.places, nullif(request_place.message, ''));
      has_joined := true;
    exception
      when unique_violation then null;
    end;
  end if;
  insert into public.enquiries (id, name, reply_to, phone, course_name, course_id, places, message, request, held_until, status)
  values (
    request_place.id, request_place.name, coalesce(request_place.email, request_place.phone),
    case when request_place.email is not null then request_place.phone end,
    date.course_name, date.id, request_place.places, request_place.message, kind, held_until,
    -- The waiting list has its own status.
    case when has_joined then 'closed' else 'new' end
  )
  on conflict on constraint enquiries_pkey do nothing;
  if not found then
    return private.answer_to_request(request_place.id);
  end if;
  if email is not null and private.take_rate_limit('confirmation', lower(email)) then
    insert into private.enquiry_mails (enquiry_id, kind) values (request_place.id, 'confirmation');
  end if;
  return private.answer_to_request(request_place.id);
end
$$;

revoke all on function public.request_place(uuid, uuid, text, integer, text, text, text, text) from public, anon, authenticated;
grant execute on function public.request_place(uuid, uuid, text, integer, text, text, text, text) to service_role;

-- As before, but it locks only the request, whose date the triggers of the booking lock afterwards, and fails without the version that was seen.
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
  if request.updated_at is distinct from seen then
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
