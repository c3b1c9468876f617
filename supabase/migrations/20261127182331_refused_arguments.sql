-- An unknown act on a letter did nothing and reported success, and a request could be booked without the version that was seen.

-- Acts of staff on a letter that is waiting or failed: 'send' it now, 'withdraw' it, or note that it was sent 'by_hand'. Fails with PT404
-- if it does not exist any more, with PT412 if it is sent, being sent or withdrawn, and with 22023 for another act.
create or replace function public.change_letter(letter uuid, act text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  old public.letters;
begin
  perform private.require_staff();
  if act in ('send', 'withdraw', 'by_hand') is not true then
    raise invalid_parameter_value using message = 'There is no such act on a letter';
  end if;
  select l.* into old from public.letters l where l.id = letter for no key update;
  if old.id is null then
    raise sqlstate 'PT404' using message = 'The letter does not exist any more';
  end if;
  if old.state not in ('waiting', 'failed') then
    raise sqlstate 'PT412' using message = 'The letter is already ' || old.state;
  end if;
  if act = 'send' and private.has_newer_letter(old) then
    raise sqlstate 'PT412' using message = 'A newer letter of this kind is waiting';
  end if;
  update public.letters l set
    state = case act when 'send' then 'waiting' when 'by_hand' then 'sent' else 'withdrawn' end,
    problem = case when act = 'withdraw' then 'staff' end,
    response = null, tries = 0, claim = null, handed_at = null,
    due_at = case when act = 'send' then private.now() else l.due_at end,
    sent_at = case when act = 'by_hand' then private.now() end,
    by_hand = act = 'by_hand'
  where l.id = letter;
end
$$;

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
