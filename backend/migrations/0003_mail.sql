-- Mail on its way: written with what it tells of, handed to a mail server afterwards, gone once that has taken it. Without a
-- mail server it stays, for staff to read out. Bodies hold live links and codes, so nobody but the service role may look.

create table auth.mail_outbox (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users on delete cascade,
  -- confirmation, invite, magic_link, recovery, email_change or reauthentication
  kind text not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- When to try (again); null when nobody will: there is no mail server, or it has refused too often.
  next_attempt_at timestamptz,
  -- The mail server's last refusal, as a code.
  last_error text
);
create index mail_outbox_next_attempt_at_idx on auth.mail_outbox (next_attempt_at) where next_attempt_at is not null;
create index mail_outbox_created_at_idx on auth.mail_outbox (created_at);
create index mail_outbox_user_id_idx on auth.mail_outbox (user_id);

alter table auth.mail_outbox enable row level security;
revoke all on auth.mail_outbox from public, anon, authenticated, service_role;
grant select, delete on auth.mail_outbox to service_role;
