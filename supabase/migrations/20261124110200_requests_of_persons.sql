-- Requests under data protection law: everything about the holder of one e-mail address or phone number, and its erasure.

create function private.is_contact(contact text, email text, phone text) returns boolean
  language sql immutable parallel safe set search_path = ''
as $$
  select coalesce(
    case when contact like '%@%' then lower(btrim(email)) = lower(btrim(contact))
      else private.phone_digits(phone) = private.phone_digits(contact) end,
    false
  )
$$;

-- The ids of all records with a contact: enquiries also of its bookings, and records that only the change log still has. Fails with PT400
-- for a text that is neither an e-mail address nor a phone number.
create function private.records_of(contact text, out bookings uuid[], out enquiries uuid[], out waiting uuid[], out changed uuid[])
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
    where private.is_contact(contact, c.before ->> 'email', c.before ->> 'phone') or private.is_contact(contact, c.after ->> 'email', c.after ->> 'phone')
  );
end
$$;

-- Returns everything about the holder of a contact.
create function public.export_person(contact text) returns json
  language plpgsql stable security definer set search_path = ''
as $$
declare
  records record;
begin
  records := private.records_of(contact);
  return json_build_object(
    'bookings', (
      select coalesce(json_agg(
        jsonb_build_object('course_name', d.course_name, 'course_date', d.course_date)
          || to_jsonb(b) - array['id', 'course_id', 'enquiry_id', 'updated_by'] order by b.created_at
      ), '[]')
      from public.bookings b join public.course_dates d on d.id = b.course_id where b.id = any (records.bookings)
    ),
    'waiting_list', (
      select coalesce(json_agg(
        jsonb_build_object('course_name', d.course_name, 'course_date', d.course_date)
          || to_jsonb(w) - array['id', 'course_id', 'position', 'updated_by'] order by w.created_at
      ), '[]')
      from public.waiting_list w join public.course_dates d on d.id = w.course_id where w.id = any (records.waiting)
    ),
    'enquiries', (
      select coalesce(json_agg(to_jsonb(e) - array['id', 'course_id', 'updated_by'] order by e.created_at), '[]')
      from public.enquiries e where e.id = any (records.enquiries)
    ),
    'letters', (
      select coalesce(json_agg(
        jsonb_build_object('kind', l.kind, 'state', l.state, 'due_at', l.due_at, 'sent_at', l.sent_at, 'recipient', l.recipient,
          'subject', l.subject, 'body', l.body) order by l.due_at
      ), '[]')
      from public.letters l
      where l.booking_id = any (records.bookings) or l.waiting_id = any (records.waiting) or l.enquiry_id = any (records.enquiries)
        or private.is_contact(contact, l.recipient, null)
    ),
    'changes', (
      select coalesce(json_agg(
        jsonb_build_object('at', c.at, 'kind', c.kind, 'act', c.act, 'before', c.before, 'after', c.after) order by c.at
      ), '[]')
      from public.changes c where c.record_id = any (records.changed)
    ),
    'account', (
      select coalesce(json_agg(
        jsonb_build_object('email', u.email, 'phone', u.phone, 'name', u.raw_user_meta_data ->> 'display_name', 'created_at', u.created_at,
          'last_sign_in_at', u.last_sign_in_at)
      ), '[]')
      from auth.users u where private.is_contact(contact, u.email, u.phone)
    )
  );
end
$$;

-- Erases what no law requires about the holder of a contact, and returns the numbers of erased and of kept records. A booking of a course to
-- come is kept for the contract; one that is in the accounts is kept with its name, without contact and note. With `only_count` it changes
-- nothing. The accounts of staff are not erased.
create function public.erase_person(contact text, only_count boolean) returns json
  language plpgsql security definer set search_path = ''
as $$
declare
  records record;
  contract uuid[];
  accounts uuid[];
  gone uuid[];
  letters uuid[];
begin
  records := private.records_of(contact);
  contract := array(
    select b.id from public.bookings b join public.course_dates d on d.id = b.course_id
    where b.id = any (records.bookings) and b.status = 'active' and d.status <> 'cancelled'
      and (d.course_date > private.now() or d.end_date >= private.today())
  );
  accounts := array(
    select b.id from public.bookings b
    where b.id = any (records.bookings) and b.id <> all (contract) and (b.payment_status = 'paid' or b.status = 'active')
  );
  gone := array(select id from unnest(records.bookings) as id where id <> all (contract || accounts));
  records.enquiries := array(
    select e.id from unnest(records.enquiries) as e (id)
    where not exists (select from public.bookings b where b.enquiry_id = e.id and (b.id = any (contract) or b.id <> all (records.bookings)))
  );
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
    'kept', json_build_object('contract', cardinality(contract), 'accounts', cardinality(accounts))
  );
end
$$;

revoke all on function private.is_contact(text, text, text), private.records_of(text) from public;
revoke all on function public.export_person(text), public.erase_person(text, boolean) from public, anon, authenticated;
grant execute on function public.export_person(text), public.erase_person(text, boolean) to service_role;
