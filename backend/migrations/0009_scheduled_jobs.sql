-- The last start of each scheduled job: of several processes on this database, one runs a job per interval.
create table auth.scheduled_jobs (
  name text primary key,
  started_at timestamptz not null
);
alter table auth.scheduled_jobs enable row level security;
revoke all on auth.scheduled_jobs from public, anon, authenticated, service_role;
