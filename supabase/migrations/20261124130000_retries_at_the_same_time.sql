-- Retries of a visitor's form that arrive at the same time wait for each other, so the rate limits count one of them. Before, each of
-- them was counted, and the visitor could be refused.

create or replace function public.send_enquiry(
  id uuid, name text, reply_to text, message text, course_name text default null, client_network text default null
) returns text
  language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('enquiries ' || id, 0));
  if exists (select from public.enquiries e where e.id = send_enquiry.id) then
    return 'stored';
  end if;
  if client_network is not null and not private.take_rate_limit('enquiry', client_network)
    or not private.take_rate_limit('enquiries', '') then
    return 'rate_limited';
  end if;
  insert into public.enquiries (id, name, reply_to, message, course_name)
  values (send_enquiry.id, send_enquiry.name, send_enquiry.reply_to, send_enquiry.message, send_enquiry.course_name)
  on conflict on constraint enquiries_pkey do nothing;
  return 'stored';
end
$$;

create or replace function public.request_place(
  id uuid, course_id uuid, name text, places integer, email text default null, phone text default null, message text default '',
  client_network text default null
) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  date public.course_dates;
  kind text;
begin
  perform pg_advisory_xact_lock(hashtextextended('enquiries ' || id, 0));
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
