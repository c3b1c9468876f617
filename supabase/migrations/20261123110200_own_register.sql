-- A trainer reads of a booking what the register shows, not its e-mail address and payment.

drop policy "trainers read the active bookings of their dates" on public.bookings;

-- Returns the active bookings of a course date whose trainer is the caller as an array, by name. Fails with 42501 unless the caller is
-- signed in.
-- Security definer: trainers may not read bookings.
create function public.own_register(date_id uuid) returns json
  language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_signed_in();
  return (
    select coalesce(json_agg(json_build_object(
        'id', b.id, 'name', b.name, 'company', b.company, 'phone', b.phone, 'places', b.places, 'note', b.note
      ) order by lower(b.name), b.id), '[]')
    from public.course_dates d join public.bookings b on b.course_id = d.id
    where d.id = own_register.date_id and d.trainer_id = auth.uid() and b.status = 'active'
  );
end
$$;
revoke all on function public.own_register(uuid) from public, anon, service_role;
grant execute on function public.own_register(uuid) to authenticated;
