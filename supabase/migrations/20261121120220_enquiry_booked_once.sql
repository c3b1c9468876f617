-- Of two in the office who book the same enquiry at once, one does. Once that booking is cancelled or deleted it can be booked again.
create or replace function private.mark_enquiry_booked() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- The lock both meet at; no stronger one, because each already holds its foreign key's.
  perform from public.enquiries where id = new.enquiry_id for no key update;
  if new.status = 'active' and exists (
    select from public.bookings b where b.enquiry_id = new.enquiry_id and b.id <> new.id and b.status = 'active'
  ) then
    raise sqlstate 'PT422' using message = 'This enquiry was booked already', hint = 'Look at its booking.';
  end if;
  update public.enquiries set status = 'booked' where id = new.enquiry_id and status <> 'booked';
  return null;
end
$$;
