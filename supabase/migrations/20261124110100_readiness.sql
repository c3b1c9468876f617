-- Returns the parts of the health of the product that only the database knows: whether mails wait for more than 15 minutes, and whether the
-- last backup check failed or is older than 26 hours.
create function public.late_work() returns json
  language sql stable security definer set search_path = ''
as $$
  select json_build_object(
    'mail',
      -- Reminders wait for the morning.
      exists (
        select from public.letters l
        where l.state = 'waiting' and l.due_at < private.now() - interval '15 minutes' and l.kind not in ('reminder_week', 'reminder_day')
      )
      or exists (
        select from private.enquiry_mails m join public.enquiries e on e.id = m.enquiry_id
        where m.mailed_at is null
          and e.created_at between private.now() - interval '7 days' and private.now() - interval '15 minutes'
      ),
    'backup', coalesce((
      select c.problem is not null or c.ended_at <= private.now() - interval '26 hours'
      from private.backup_checks c where c.ended_at is not null order by c.night desc limit 1
    ), false)
  )
$$;
revoke all on function public.late_work() from public, anon, authenticated;
grant execute on function public.late_work() to service_role;
