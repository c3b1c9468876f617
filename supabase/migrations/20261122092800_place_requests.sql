-- Requests for places: a visitor wants places on one course date. A request is an enquiry and holds no place. If the date is full,
-- the request joins its waiting list.

alter table public.enquiries
  -- 'place' if the date had places left, 'waiting' if the request joined the waiting list. Null for all other enquiries.
  add column request text check (request in ('place', 'waiting')),
  add column course_id uuid references public.course_dates (id) on delete set null,
  add column places integer check (places between 1 and 999),
  -- The phone number of a visitor whose reply_to is an e-mail address.
  add column phone text check (phone ~ '\d.*\d.*\d' and char_length(phone) <= 40),
  add constraint enquiries_request_has_places check ((request is null) = (places is null)),
  -- A request needs no message; it becomes the note of a booking.
  drop constraint enquiries_message_check,
  add constraint enquiries_message_check
    check (case when request is null then char_length(btrim(message)) between 1 and 4000 else char_length(message) <= 2000 end);
create index enquiries_course_id_idx on public.enquiries (course_id) where course_id is not null;

-- By e-mail address: nobody can fill the mailbox of another person with confirmations.
insert into private.rate_limits (name, most, period) values ('confirmation', 3, '1 day');

-- One mail to the office for each enquiry, and one to the visitor for a request.
alter table private.enquiry_mails
  add column kind text not null default 'office' check (kind in ('office', 'confirmation')),
  drop constraint enquiry_mails_pkey,
  add primary key (enquiry_id, kind);

-- Stores a request under an id chosen by the sender; a retry with the same id stores nothing more. Returns the kind of the request,
-- 'closed' if the date takes none, or 'rate_limited' as send_enquiry does.
-- It does not say that somebody is on the waiting list already: a stranger could find out who is.
create function public.request_place(
  id uuid, course_id uuid, name text, places integer, email text default null, phone text default null, message text default '',
  client_network text default null
) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  date public.course_dates;
  kind text;
begin
  select e.request into kind from public.enquiries e where e.id = request_place.id;
  if kind is not null then
    return kind;
  end if;
  select d.* into date from public.course_dates d where d.id = request_place.course_id;
  if date.id is null or date.status in ('cancelled', 'postponed') or date.course_date <= private.now() then
    return 'closed';
  end if;
  if client_network is not null and not private.take_rate_limit('enquiry', client_network)
    or not private.take_rate_limit('enquiries', '') then
    return 'rate_limited';
  end if;
  kind := case when date.status = 'full' or date.places_left <= 0 then 'waiting' else 'place' end;
  insert into public.enquiries (id, name, reply_to, phone, course_name, course_id, places, message, request, status)
  values (
    request_place.id, request_place.name, coalesce(request_place.email, request_place.phone),
    case when request_place.email is not null then request_place.phone end,
    date.course_name, date.id, request_place.places, request_place.message, kind,
    -- The waiting list has its own status.
    case kind when 'waiting' then 'closed' else 'new' end
  )
  on conflict on constraint enquiries_pkey do nothing;
  if not found then
    return kind;
  end if;
  if kind = 'waiting' then
    begin
      insert into public.waiting_list (course_id, name, email, phone, places, note)
      values (date.id, request_place.name, request_place.email, request_place.phone, request_place.places, nullif(request_place.message, ''));
    exception
      when unique_violation then null;
    end;
  end if;
  if email is not null and private.take_rate_limit('confirmation', lower(email)) then
    insert into private.enquiry_mails (enquiry_id, kind) values (request_place.id, 'confirmation');
  end if;
  return kind;
end
$$;
revoke all on function public.request_place(uuid, uuid, text, integer, text, text, text, text) from public, anon, authenticated;
grant execute on function public.request_place(uuid, uuid, text, integer, text, text, text, text) to service_role;

-- Returns up to 20 mails to send now, each with its enquiry and the course date of a request. No two callers get the same one at the
-- same time. Without note_enquiry_mailed a mail is returned again after 2, 4, 8, … minutes, for a week.
drop function public.claim_enquiry_mails();
create function public.claim_enquiry_mails() returns table (kind text, enquiry json, course_date json)
  language sql security definer set search_path = ''
as $$
  with claimed as (
    update private.enquiry_mails m
    set tries = m.tries + 1, try_after = now() + interval '2 minutes' * power(2, least(m.tries, 8))
    where (m.enquiry_id, m.kind) in (
      select w.enquiry_id, w.kind from private.enquiry_mails w join public.enquiries e on e.id = w.enquiry_id
      where w.mailed_at is null and w.try_after <= now() and e.created_at > now() - interval '7 days'
      order by e.created_at limit 20
      for update of w skip locked
    )
    returning m.enquiry_id, m.kind
  )
  select c.kind, to_json(e), to_json(d)
  from public.enquiries e join claimed c on c.enquiry_id = e.id left join public.course_dates d on d.id = e.course_id
  order by e.created_at, c.kind desc
$$;

drop function public.note_enquiry_mailed(uuid);
create function public.note_enquiry_mailed(enquiry_id uuid, kind text default 'office') returns void
  language sql security definer set search_path = ''
as $$
  update private.enquiry_mails m set mailed_at = now()
  where m.enquiry_id = note_enquiry_mailed.enquiry_id and m.kind = note_enquiry_mailed.kind
$$;

revoke all on function public.claim_enquiry_mails(), public.note_enquiry_mailed(uuid, text) from public, anon, authenticated;
grant execute on function public.claim_enquiry_mails(), public.note_enquiry_mailed(uuid, text) to service_role;

-- Turns a request into a booking with what the visitor typed, in one transaction, and returns the id of the booking. Fails with PT404
-- if the request or its date was deleted, with PT412 if the enquiry was changed after `seen`, otherwise as any booking does.
create function public.book_request(enquiry uuid, seen timestamptz) returns uuid
  language plpgsql set search_path = ''
as $$
declare
  date_id uuid;
  request public.enquiries;
  booking_id uuid;
begin
  select e.course_id into date_id from public.enquiries e where e.id = enquiry;
  -- Lock the date before the enquiry, as a new booking does.
  perform from public.course_dates where id = date_id for no key update;
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
revoke all on function public.book_request(uuid, timestamptz) from public, anon;
grant execute on function public.book_request(uuid, timestamptz) to authenticated;
