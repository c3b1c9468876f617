-- Backup checks: each night one process makes a backup and restores it into a temporary database (decision 045).

-- The night is the day in London on which it ends. Without an end, a process works on it.
create table private.backup_checks (
  night date primary key,
  begun_at timestamptz not null,
  ended_at timestamptz,
  row_count bigint check (row_count >= 0),
  problem text check (problem ~ '^[a-z_]{1,40}$'),
  mailed_at timestamptz,
  mail_tries int not null default 0,
  mail_after timestamptz not null default '-infinity',
  check (num_nonnulls(row_count, problem) = (ended_at is not null)::int)
);
alter table private.backup_checks enable row level security;
revoke all on private.backup_checks from public, anon, authenticated, service_role;

-- Returns the night whose backup the caller must make and check; null if it is done, or if another process began it less than three hours
-- ago. A night begins at 03:00 in London, which no change of the clocks skips or repeats, and can be made up until the next one.
create function public.begin_backup_check() returns date
  language plpgsql security definer set search_path = ''
as $$
declare
  current_night constant date := (private.now() at time zone 'Europe/London' - interval '3 hours')::date;
  begun date;
begin
  -- Most calls end here, without a write.
  if exists (select from private.backup_checks c where c.night = current_night and c.ended_at is not null) then
    return null;
  end if;
  insert into private.backup_checks as c (night, begun_at) values (current_night, private.now())
  on conflict (night) do update set begun_at = private.now()
    where c.ended_at is null and c.begun_at <= private.now() - interval '3 hours'
  returning c.night into begun;
  return begun;
end
$$;

-- Stores the result of a check: the number of rows, or the slug of the problem.
create function public.end_backup_check(night date, row_count bigint default null, problem text default null) returns void
  language sql security definer set search_path = ''
as $$
  update private.backup_checks c
  set ended_at = private.now(), row_count = end_backup_check.row_count, problem = end_backup_check.problem, mailed_at = null, mail_tries = 0,
    mail_after = '-infinity'
  where c.night = end_backup_check.night
$$;

-- Returns the state of the backups: 'checked', 'failed', or 'late' after 26 hours without a result. Before the first result there is no row,
-- but for an owner 'none' if no check ever began. Fails with 42501 or PT403 if the caller may not see it.
-- Security definer: callers may not read the table.
create function public.backup_state() returns table (state text, checked_at timestamptz, row_count bigint, problem text)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_staff();
  return query
    select
      case when coalesce(c.ended_at, c.begun_at) <= private.now() - interval '26 hours' then 'late' when c.problem is null then 'checked' else 'failed' end,
      coalesce(c.ended_at, c.begun_at), c.row_count, c.problem
    from private.backup_checks c
    where c.ended_at is not null or c.begun_at <= private.now() - interval '26 hours'
    order by c.ended_at desc nulls last, c.night limit 1;
  if private.role_of(auth.uid()) = 'owner' and not exists (select from private.backup_checks) then
    return query select 'none', null::timestamptz, null::bigint, null::text;
  end if;
end
$$;

-- Returns the failed checks to mail now. Without note_backup_mailed one is returned again after 2, 4, 8, … minutes, for a week.
create function public.claim_backup_mails() returns table (night date, problem text)
  language sql security definer set search_path = ''
as $$
  update private.backup_checks c
  set mail_tries = c.mail_tries + 1, mail_after = private.now() + interval '2 minutes' * power(2, least(c.mail_tries, 8))
  where c.night in (
    select w.night from private.backup_checks w
    where w.problem is not null and w.mailed_at is null and w.mail_after <= private.now() and w.ended_at > private.now() - interval '7 days'
    for update skip locked
  )
  returning c.night, c.problem
$$;

create function public.note_backup_mailed(night date) returns void
  language sql security definer set search_path = ''
as $$
  update private.backup_checks c set mailed_at = private.now() where c.night = note_backup_mailed.night
$$;

revoke all on function public.begin_backup_check(), public.end_backup_check(date, bigint, text), public.claim_backup_mails(),
  public.note_backup_mailed(date) from public, anon, authenticated;
grant execute on function public.begin_backup_check(), public.end_backup_check(date, bigint, text), public.claim_backup_mails(),
  public.note_backup_mailed(date) to service_role;
revoke all on function public.backup_state() from public, anon, service_role;
grant execute on function public.backup_state() to authenticated;
