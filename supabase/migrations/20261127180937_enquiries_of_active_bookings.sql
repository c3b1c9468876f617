-- Only one booking of an enquiry is active, also when a cancelled one is made active again: the same two triggers as for a new booking.
create trigger release_hold_again before update of status on public.bookings
  for each row when (new.status = 'active' and old.status <> 'active' and new.enquiry_id is not null)
  execute function private.release_hold_of_booking();
create trigger mark_enquiry_booked_again after update of status on public.bookings
  for each row when (new.status = 'active' and old.status <> 'active' and new.enquiry_id is not null)
  execute function private.mark_enquiry_booked();
