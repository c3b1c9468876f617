-- The letters that tell the office of enquiries: which were sent, and when to try again where its mail server did not take one.

create table private.enquiry_mails (
  enquiry_id uuid primary key references public.enquiries (id) on delete cascade,
  mailed_at timestamptz,
  tries smallint not null default 0,
  -- Not before: set ahead while somebody is sending, and further with each try that failed.
  try_after timestamptz not null default now()
);
create index enquiry_mails_waiting_idx on private.enquiry_mails (try_after) where mailed_at is null;
alter table private.enquiry_mails enable row level security;
revoke all on private.enquiry_mails from public, anon, authenticated, service_role;

create function private.queue_enquiry_mail() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.enquiry_mails (enquiry_id) values (new.id);
  return null;
end
$$;
revoke all on function private.queue_enquiry_mail() from public;

create trigger queue_enquiry_mail after insert on public.enquiries
  for each row execute function private.queue_enquiry_mail();

-- Hands over what is to be mailed now, to one caller each: two processes never send the same letter at the same time. Who does
-- not say that it was sent leaves it to the next, after 2, 4, 8, … minutes, and for a week at most: older ones the office has found.
create function public.claim_enquiry_mails()
  returns table (id uuid, name text, reply_to text, course_name text, message text, created_at timestamptz)
  language sql security definer set search_path = ''
as $$
  with claimed as (
    update private.enquiry_mails m
    set tries = m.tries + 1, try_after = now() + interval '2 minutes' * power(2, least(m.tries, 8))
    where m.enquiry_id in (
      select w.enquiry_id from private.enquiry_mails w join public.enquiries e on e.id = w.enquiry_id
      where w.mailed_at is null and w.try_after <= now() and e.created_at > now() - interval '7 days'
      order by e.created_at limit 20
      for update of w skip locked
    )
    returning m.enquiry_id
  )
  select e.id, e.name, e.reply_to, e.course_name, e.message, e.created_at
  from public.enquiries e join claimed c on c.enquiry_id = e.id
  order by e.created_at
$$;

create function public.note_enquiry_mailed(enquiry_id uuid) returns void
  language sql security definer set search_path = ''
as $$
  update private.enquiry_mails m set mailed_at = now() where m.enquiry_id = note_enquiry_mailed.enquiry_id
$$;

revoke all on function public.claim_enquiry_mails(), public.note_enquiry_mailed(uuid) from public, anon, authenticated;
grant execute on function public.claim_enquiry_mails(), public.note_enquiry_mailed(uuid) to service_role;
