create table public.enquiries (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(btrim(name)) between 1 and 120),
  -- An e-mail address or a phone number, as the visitor typed it.
  reply_to text not null check (char_length(btrim(reply_to)) between 5 and 254),
  course_name text check (char_length(course_name) <= 120),
  message text not null check (char_length(btrim(message)) between 1 and 4000),
  created_at timestamptz not null default now()
);
create index enquiries_created_at_idx on public.enquiries (created_at desc);

alter table public.enquiries enable row level security;
alter table public.enquiries force row level security;
revoke all on public.enquiries from anon, authenticated;
-- Visitors write and never read: what they wrote holds personal data of everyone else who did.
grant insert (name, reply_to, course_name, message) on public.enquiries to anon, authenticated;
grant select, delete on public.enquiries to authenticated;
grant select, insert, update, delete on public.enquiries to service_role;

create policy "everyone asks" on public.enquiries for insert to anon, authenticated with check (true);
create policy "staff read enquiries" on public.enquiries for select to authenticated using ((select private.is_staff()));
create policy "staff delete enquiries" on public.enquiries for delete to authenticated using ((select private.is_staff()));

-- A flood of enquiries is a machine's: at most 30 in ten minutes, answered with HTTP 429 beyond that.
-- Security definer because visitors may not read the rows it counts.
create function private.limit_enquiries() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if (select count(*) from public.enquiries where created_at > now() - interval '10 minutes') >= 30 then
    raise sqlstate 'PT429' using message = 'Too many enquiries';
  end if;
  return new;
end
$$;
revoke all on function private.limit_enquiries() from public;

create trigger limit_enquiries before insert on public.enquiries
  for each row execute function private.limit_enquiries();
