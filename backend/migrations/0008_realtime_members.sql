-- Presence across processes: the members of realtime topics that the clients of each process track.

create schema if not exists realtime;

-- A process renews its rows while it lives; others ignore and delete rows that were not renewed. Need not survive a crash: processes
-- write the members of their open connections again.
create unlogged table realtime.members (
  id uuid primary key,
  process uuid not null,
  topic text not null,
  private boolean not null,
  key text not null,
  -- Not jsonb, which has no \u0000.
  payload json not null,
  meta json not null,
  seen_at timestamptz not null default now()
);
create index members_topic on realtime.members (topic, private);
create index members_process on realtime.members (process);
create index members_seen_at on realtime.members (seen_at);
alter table realtime.members enable row level security;
revoke all on realtime.members from public, anon, authenticated, service_role;
