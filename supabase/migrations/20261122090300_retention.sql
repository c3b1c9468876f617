-- Retention: how long personal data are kept, and the job that deletes data past their period.
-- content/legal/privacy-policy.ts states the same periods; a test compares them.

create table private.retention_periods (
  subject text primary key,
  period interval not null,
  -- The period begins with the event, or with the end of the financial year of the event (31 March).
  counted_from text not null default 'event' check (counted_from in ('event', 'financial_year')),
  basis text not null
);
insert into private.retention_periods (subject, period, counted_from, basis) values
  ('bookings', '6 years', 'financial_year', 'Tax law: accounts and the records behind them'),
  ('enquiries', '12 months', 'event', 'Legitimate interest in answering people who write again; only enquiries without a booking'),
  ('waiting_list', '12 months', 'event', 'As enquiries; only entries whose course date is over'),
  ('change_values', '30 days', 'event', 'Legitimate interest in correcting mistakes'),
  ('changes', '12 months', 'event', 'Legitimate interest in knowing who changed a record'),
  ('staff_acts', '12 months', 'event', 'Legitimate interest in the security of staff accounts'),
  ('auth_log', '12 months', 'event', 'Legitimate interest in the security of staff accounts'),
  ('auth_log_addresses', '90 days', 'event', 'Legitimate interest in the security of staff accounts'),
  ('visit_sessions', '365 days', 'event', 'Statistics: as long as the cookie');
alter table private.retention_periods enable row level security;
revoke all on private.retention_periods from public, anon, authenticated, service_role;

-- Returns the time before which data of a subject are deleted.
-- Security definer: policies call it, and callers may not read the table.
create function private.retention_cutoff(subject text) returns timestamptz
  language sql stable security definer set search_path = ''
as $$
  select case r.counted_from
    when 'event' then private.now() - r.period
    else (date_trunc('year', private.now() at time zone 'Europe/London' - interval '3 months') + interval '3 months' - r.period)
      at time zone 'Europe/London'
  end
  from private.retention_periods r where r.subject = retention_cutoff.subject
$$;

-- Deletes or anonymises all data past their retention period, and returns the number of rows by subject.
-- At most 5000 rows of a subject at once, so that no other statement waits long; rows in use are left to the next run.
create function public.apply_retention() returns json
  language plpgsql security definer set search_path = ''
as $$
declare
  batch constant integer := 5000;
  cutoff timestamptz;
  deleted bigint;
  report jsonb := '{}';
begin
  -- A booking belongs to the year in which it was made or its course ended, whichever is later.
  -- The change log does not record these deletions: it would store the values for another 30 days.
  cutoff := private.retention_cutoff('bookings');
  perform set_config('changes.retention', 'on', true);
  delete from public.bookings where id in (
    select b.id from public.bookings b join public.course_dates d on d.id = b.course_id
    where b.created_at < cutoff and d.course_date < cutoff
      and coalesce(d.end_date < (cutoff at time zone 'Europe/London')::date, true)
    order by b.created_at limit batch
    for update of b skip locked for no key update of d skip locked
  );
  get diagnostics deleted = row_count;
  report := report || jsonb_build_object('bookings', deleted);
  perform set_config('changes.retention', 'off', true);

  delete from public.enquiries where id in (
    select e.id from public.enquiries e
    where e.created_at < private.retention_cutoff('enquiries')
      and not exists (select from public.bookings b where b.enquiry_id = e.id)
    order by e.created_at limit batch for update skip locked
  );
  get diagnostics deleted = row_count;
  report := report || jsonb_build_object('enquiries', deleted);

  delete from public.waiting_list where id in (
    select w.id from public.waiting_list w join public.course_dates d on d.id = w.course_id
    where w.created_at < private.retention_cutoff('waiting_list') and d.course_date < private.now()
    limit batch for update of w skip locked
  );
  get diagnostics deleted = row_count;
  report := report || jsonb_build_object('waiting_list', deleted);

  update public.changes set about = null, before = null, after = null where id in (
    select c.id from public.changes c
    where c.about is not null and c.at <= private.retention_cutoff('change_values') order by c.at limit batch for update skip locked
  );
  get diagnostics deleted = row_count;
  report := report || jsonb_build_object('change_values', deleted);

  delete from public.changes where id in (
    select c.id from public.changes c
    where c.at <= private.retention_cutoff('changes') order by c.at limit batch for update skip locked
  );
  get diagnostics deleted = row_count;
  report := report || jsonb_build_object('changes', deleted);

  delete from public.staff_acts where id in (
    select a.id from public.staff_acts a
    where a.begun_at <= private.retention_cutoff('staff_acts') order by a.begun_at limit batch for update skip locked
  );
  get diagnostics deleted = row_count;
  report := report || jsonb_build_object('staff_acts', deleted);

  delete from private.visit_sessions where session_id in (
    select s.session_id from private.visit_sessions s
    where s.last_day < (private.retention_cutoff('visit_sessions') at time zone 'Europe/London')::date
    order by s.last_day limit batch for update skip locked
  );
  get diagnostics deleted = row_count;
  report := report || jsonb_build_object('visit_sessions', deleted);

  return report || private.apply_auth_retention(batch) || jsonb_build_object('rate_limits', private.delete_past_rate_limits());
end
$$;

-- The part of apply_retention for the auth service's log. A hosted project may have another log, or not let us change it.
create function private.apply_auth_retention(batch integer) returns jsonb
  language plpgsql set search_path = ''
as $$
declare
  deleted bigint;
  anonymised bigint;
begin
  delete from auth.audit_log_entries where id in (
    select l.id from auth.audit_log_entries l where l.created_at <= private.retention_cutoff('auth_log') limit batch for update skip locked
  );
  get diagnostics deleted = row_count;
  update auth.audit_log_entries set ip_address = '' where id in (
    select l.id from auth.audit_log_entries l
    where l.ip_address <> '' and l.created_at <= private.retention_cutoff('auth_log_addresses') limit batch for update skip locked
  );
  get diagnostics anonymised = row_count;
  return jsonb_build_object('auth_log', deleted, 'auth_log_addresses', anonymised);
exception
  when undefined_table or undefined_column or insufficient_privilege then
    return jsonb_build_object('auth_log', null);
end
$$;

revoke all on all functions in schema private from public;
grant execute on function private.retention_cutoff(text) to authenticated;
revoke all on function public.apply_retention() from public, anon, authenticated;
grant execute on function public.apply_retention() to service_role;

-- Our server calls apply_retention every hour. A hosted project does so itself where pg_cron is installed.
do $$
begin
  if exists (select from pg_catalog.pg_extension where extname = 'pg_cron') then
    perform cron.schedule('apply-retention', '17 * * * *', 'select public.apply_retention()');
  end if;
end
$$;
