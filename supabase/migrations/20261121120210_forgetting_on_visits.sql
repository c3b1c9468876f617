-- What is too old goes also where the office writes nothing for weeks: every ten minutes in which anybody visits the site.
create trigger forget_enquiries after insert on private.view_salts
  for each statement execute function private.forget_enquiries();
create trigger forget_waiting after insert on private.view_salts
  for each statement execute function private.forget_waiting();
