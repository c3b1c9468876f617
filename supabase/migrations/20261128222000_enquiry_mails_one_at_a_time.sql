-- Returns one mail about an enquiry that is due, and claims it for two minutes: of several, the last ones would wait longer than that for
-- a slow mail server, and another process would send them too. Without note_enquiry_mailed it is returned again after 2, 4, 8, … minutes,
-- for a week.
create or replace function public.claim_enquiry_mails() returns table (kind text, enquiry json, course_date json)
  language sql security definer set search_path = ''
as $$
  with claimed as (
    update private.enquiry_mails m
    set tries = m.tries + 1, try_after = now() + interval '2 minutes' * power(2, least(m.tries, 8))
    where (m.enquiry_id, m.kind) = (
      select w.enquiry_id, w.kind from private.enquiry_mails w join public.enquiries e on e.id = w.enquiry_id
      where w.mailed_at is null and w.try_after <= now() and e.created_at > now() - interval '7 days'
      order by e.created_at, w.kind desc limit 1
      for update of w skip locked
    )
    returning m.enquiry_id, m.kind
  )
  select c.kind, to_json(e), to_json(d)
  from public.enquiries e join claimed c on c.enquiry_id = e.id left join public.course_dates d on d.id = e.course_id
$$;
