-- Returns the figures of the product for a monitor: the mails that are due and not sent, the bookings, and the seconds since a backup was
-- last checked without a fault.
create function public.figures() returns json
  language sql stable security definer set search_path = ''
as $$
  select json_build_object(
    'mails_waiting',
      (select count(*) from public.letters l where l.state = 'waiting' and l.due_at <= private.now())
      + (
        -- Older ones are not tried again.
        select count(*) from private.enquiry_mails m join public.enquiries e on e.id = m.enquiry_id
        where m.mailed_at is null and e.created_at > private.now() - interval '7 days'
      ),
    'bookings', (select count(*) from public.bookings b where b.status = 'active'),
    'backup_age_seconds', (
      select extract(epoch from private.now() - max(c.ended_at)) from private.backup_checks c where c.problem is null
    )
  )
$$;
revoke all on function public.figures() from public, anon, authenticated;
grant execute on function public.figures() to service_role;
