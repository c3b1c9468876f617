-- Requests under data protection law also find a booking under another contact, such as an employer's, that came from an enquiry of the person
-- and has the same name. An erasure keeps bookings of courses that are running, also of those without a last day of their own, and says which
-- enquiries it keeps.

create or replace function private.records_of(contact text, out bookings uuid[], out enquiries uuid[], out waiting uuid[], out changed uuid[])
  language plpgsql stable set search_path = ''
as $$
begin
  if contact !~ '^\s*[^\s@]+@[^\s@]+\s*$' and (contact like '%@%' or char_length(private.phone_digits(contact)) < 7) then
    raise sqlstate 'PT400' using message = 'This is neither an e-mail address nor a phone number';
  end if;
  bookings := array(
    select b.id from public.bookings b left join public.enquiries e on e.id = b.enquiry_id
    where private.is_contact(contact, b.email, b.phone)
      or (private.is_contact(contact, e.reply_to, e.reply_to) or private.is_contact(contact, null, e.phone)) and lower(btrim(e.name)) = lower(btrim(b.name))
    order by b.created_at
  );
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

drop function public.erase_person(text, boolean);

-- Erases what no law requires about the holder of a contact, and returns the numbers of erased and of kept records. A booking of a course that
-- runs now or later is kept for the contract; one that is in the accounts is kept with its name, without contact and note. An
-- enquiry is kept with a booking that came from it, if that is kept for the contract or is another person's. `running_since` has the earliest
-- first day of longer courses that still run today, by course name, for dates without a last day. With `only_count` it changes nothing. The
-- accounts of staff are not erased.
create function public.erase_person(contact text, only_count boolean, running_since jsonb) returns json
  language plpgsql security definer set search_path = ''
as $$
declare
  records record;
  with_booking uuid[];
  contract uuid[];
  accounts uuid[];
  gone uuid[];
  letters uuid[];
begin
  records := private.records_of(contact);
  contract := array(
    select b.id from public.bookings b join public.course_dates d on d.id = b.course_id
    where b.id = any (records.bookings) and b.status = 'active' and d.status <> 'cancelled'
      and (d.end_date >= private.today() or d.end_date is null
        and (d.course_date at time zone 'Europe/London')::date >= coalesce((running_since ->> d.course_name)::date, private.today()))
  );
  accounts := array(
    select b.id from public.bookings b
    where b.id = any (records.bookings) and b.id <> all (contract) and (b.payment_status = 'paid' or b.status = 'active')
  );
  gone := array(select id from unnest(records.bookings) as id where id <> all (contract || accounts));
  with_booking := array(
    select distinct b.enquiry_id from public.bookings b
    where b.enquiry_id = any (records.enquiries) and (b.id = any (contract) or b.id <> all (records.bookings))
  );
  records.enquiries := array(select id from unnest(records.enquiries) as id where id <> all (with_booking));
  records.changed := array(select id from unnest(records.changed) as id where id <> all (contract));
  letters := array(
    select l.id from public.letters l
    where l.booking_id = any (gone || accounts) or l.waiting_id = any (records.waiting) or l.enquiry_id = any (records.enquiries)
      or private.is_contact(contact, l.recipient, null) and coalesce(l.booking_id <> all (contract), true)
  );
  if not only_count then
    update public.bookings set email = null, phone = null, note = null where id = any (accounts);
    delete from public.bookings where id = any (gone);
    delete from public.waiting_list where id = any (records.waiting);
    delete from public.enquiries where id = any (records.enquiries);
    delete from public.letters l where l.id = any (letters) or l.booking_id = any (accounts);
    -- Also of the entries that these changes made.
    update public.changes set about = null, before = null, after = null where record_id = any (records.changed);
  end if;
  return json_build_object(
    'erased', json_build_object('bookings', cardinality(gone), 'enquiries', cardinality(records.enquiries), 'waiting_list', cardinality(records.waiting),
      'letters', cardinality(letters), 'changed_records', cardinality(records.changed)),
    'kept', json_build_object('contract', cardinality(contract), 'accounts', cardinality(accounts), 'enquiries', cardinality(with_booking))
  );
end
$$;

revoke all on function public.erase_person(text, boolean, jsonb) from public, anon, authenticated;
grant execute on function public.erase_person(text, boolean, jsonb) to service_role;
