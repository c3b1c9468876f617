-- The answer to a request for places says until when they are held and whether a mail confirms it, so that the page promises nothing else.

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
