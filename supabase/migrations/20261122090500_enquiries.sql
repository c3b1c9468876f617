-- Enquiries: messages from visitors. Visitors send them through the function send-enquiry; staff read
-- and process them, and add those that come by telephone.

create table public.enquiries (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(btrim(name)) between 1 and 120),
  -- An e-mail address or a phone number, as the visitor typed it.
  reply_to text not null check (char_length(btrim(reply_to)) between 5 and 254),
  course_name text check (char_length(course_name) <= 120),
  message text not null check (char_length(btrim(message)) between 1 and 4000),
  status text not null default 'new' check (status in ('new', 'called', 'booked', 'closed')),
  note text check (char_length(note) <= 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default clock_timestamp(),
  -- The member of staff who edited it last; null until then. No foreign key: the value outlives the account.
  updated_by uuid
);
create index enquiries_created_at_idx on public.enquiries (created_at desc);
create index enquiries_status_idx on public.enquiries (status, created_at desc);
-- For an open list that checks for news.
create index enquiries_updated_at_idx on public.enquiries (updated_at desc);

alter table public.enquiries enable row level security;
alter table public.enquiries force row level security;
revoke all on public.enquiries from anon, authenticated;
-- The text of an enquiry cannot be changed.
grant select, delete, insert (id, name, reply_to, course_name, message), update (status, note) on public.enquiries to authenticated;
grant select, insert, update, delete on public.enquiries to service_role;

create policy "staff read enquiries" on public.enquiries for select to authenticated using ((select private.is_staff()));
create policy "staff add enquiries" on public.enquiries for insert to authenticated with check ((select private.is_staff()));
create policy "staff change enquiries" on public.enquiries for update to authenticated
  using ((select private.is_staff())) with check ((select private.is_staff()));
create policy "staff delete enquiries" on public.enquiries for delete to authenticated using ((select private.is_staff()));

create trigger stamp_update before update on public.enquiries
  for each row execute function private.stamp_update();

-- Stores an enquiry under an id chosen by the sender and returns 'stored'. A retry with the same id stores nothing more.
-- Returns 'rate_limited' when this client network, or all together, sent too many.
create function public.send_enquiry(id uuid, name text, reply_to text, message text, course_name text default null, client_network text default null)
  returns text
  language plpgsql security definer set search_path = ''
as $$
begin
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
revoke all on function public.send_enquiry(uuid, text, text, text, text, text) from public, anon, authenticated;
grant execute on function public.send_enquiry(uuid, text, text, text, text, text) to service_role;

-- The mails that tell staff of enquiries: which were sent, and when to try again after a failure.
create table private.enquiry_mails (
  enquiry_id uuid primary key references public.enquiries (id) on delete cascade,
  mailed_at timestamptz,
  tries smallint not null default 0,
  -- Set ahead while a process sends the mail, and further after each failure.
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

-- Returns up to 20 enquiries to mail now. No two callers get the same one at the same time. Without note_enquiry_mailed an
-- enquiry is returned again after 2, 4, 8, … minutes, for a week.
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
