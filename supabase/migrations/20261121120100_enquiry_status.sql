-- The office's side of an enquiry: how it stands, a note, which booking came of it, and how long it is kept.

alter table public.enquiries
  add column status text not null default 'new' check (status in ('new', 'called', 'booked', 'closed')),
  add column note text check (char_length(note) <= 2000),
  add column updated_at timestamptz not null default clock_timestamp(),
  -- Who in the office wrote it last; nobody while it is as the visitor sent it.
  add column updated_by uuid;

create index enquiries_open_idx on public.enquiries (created_at desc) where status in ('new', 'called');

-- Only for what the office writes: what machines note beside it does not disturb whoever is editing.
create trigger sign_change before update of name, reply_to, course_name, message, status, note
  on public.enquiries for each row execute function private.sign_change();

-- What the visitor wrote stays as it was written.
grant update (status, note) on public.enquiries to authenticated;
create policy "staff change enquiries" on public.enquiries for update to authenticated
  using ((select private.is_staff())) with check ((select private.is_staff()));

-- Which enquiry a booking came of. The booking stays when the enquiry goes.
alter table public.bookings add column enquiry_id uuid references public.enquiries (id) on delete set null;
create index bookings_enquiry_id_idx on public.bookings (enquiry_id) where enquiry_id is not null;
grant insert (enquiry_id) on public.bookings to authenticated, service_role;

-- A booking and the enquiry it came of are saved together or not at all.
-- Security definer so that it holds whoever makes the booking.
create function private.mark_enquiry_booked() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.enquiries set status = 'booked' where id = new.enquiry_id and status <> 'booked';
  return null;
end
$$;
revoke all on function private.mark_enquiry_booked() from public;

create trigger mark_enquiry_booked after insert on public.bookings
  for each row when (new.enquiry_id is not null) execute function private.mark_enquiry_booked();

-- The privacy policy promises twelve months for enquiries that lead to no booking. Whatever is written next clears away what is older;
-- rows in use are left to the next time, and in pieces, so that nobody waits.
create function private.forget_enquiries() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.enquiries where id in (
    select e.id from public.enquiries e
    where e.created_at < now() - interval '12 months' and not exists (select from public.bookings b where b.enquiry_id = e.id)
    order by e.created_at limit 1000 for update skip locked
  );
  return null;
end
$$;
revoke all on function private.forget_enquiries() from public;

create trigger forget_enquiries after insert on public.enquiries
  for each statement execute function private.forget_enquiries();
create trigger forget_enquiries after insert on public.bookings
  for each statement execute function private.forget_enquiries();
