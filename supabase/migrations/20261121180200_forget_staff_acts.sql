-- Who did what to accounts is kept for 12 months, as who changed what is. What was done lately is what the limit counts.
create function private.forget_staff_acts() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.staff_acts where id in (
    select a.id from public.staff_acts a where a.begun_at <= now() - interval '12 months' order by a.begun_at limit 1000 for update skip locked
  );
  return null;
end
$$;
revoke all on function private.forget_staff_acts() from public;

create trigger forget_staff_acts after insert on public.staff_acts
  for each statement execute function private.forget_staff_acts();
-- Every ten minutes in which anybody visits the site.
create trigger forget_staff_acts after insert on private.view_salts
  for each statement execute function private.forget_staff_acts();
