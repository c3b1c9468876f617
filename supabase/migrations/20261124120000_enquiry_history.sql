-- The change log also has the updates of enquiries: who changed the status or the note of one.

alter table public.changes
  drop constraint changes_kind_check,
  add constraint changes_kind_check check (kind in ('course_dates', 'blog_posts', 'bookings', 'enquiries'));

create trigger record_change after update on public.enquiries
  for each row execute function private.record_change();

-- A deleted enquiry cannot be restored, so its entries go with it.
create function private.delete_changes_of_enquiry() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.changes where record_id = old.id;
  return null;
end
$$;
create trigger delete_changes after delete on public.enquiries
  for each row execute function private.delete_changes_of_enquiry();
revoke all on function private.delete_changes_of_enquiry() from public;

-- As before, with the changes of enquiries.
create or replace function private.records_of(contact text, out bookings uuid[], out enquiries uuid[], out waiting uuid[], out changed uuid[])
  language plpgsql stable set search_path = ''
as $$
begin
  if contact !~ '^\s*[^\s@]+@[^\s@]+\s*$' and (contact like '%@%' or char_length(private.phone_digits(contact)) < 7) then
    raise sqlstate 'PT400' using message = 'This is neither an e-mail address nor a phone number';
  end if;
  bookings := array(select b.id from public.bookings b where private.is_contact(contact, b.email, b.phone) order by b.created_at);
  waiting := array(select w.id from public.waiting_list w where private.is_contact(contact, w.email, w.phone) order by w.created_at);
  enquiries := array(
    select e.id from public.enquiries e
    where private.is_contact(contact, e.reply_to, e.reply_to) or private.is_contact(contact, null, e.phone)
      or e.id in (select b.enquiry_id from public.bookings b where b.id = any (bookings))
    order by e.created_at
  );
  changed := bookings || array(
    select distinct c.record_id from public.changes c
    where c.record_id = any (enquiries)
      or private.is_contact(contact, c.before ->> 'email', c.before ->> 'phone') or private.is_contact(contact, c.after ->> 'email', c.after ->> 'phone')
  );
end
$$;
