-- The versions of the program that used this database: the message about a failed upgrade names the one to run again.

create table auth.program_versions (
  version text primary key,
  started_at timestamptz not null default now()
);
alter table auth.program_versions enable row level security;
