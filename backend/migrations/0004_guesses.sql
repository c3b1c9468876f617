-- Failed guesses at passwords and second factors (decision 031). Both keys are keyed hashes, so that the table reveals neither
-- addresses of people without an account nor networks. The kinds of mail in auth.mail_outbox now include password_guesses and
-- factor_guesses.
create table auth.guesses (
  -- The password of one email address or phone number, or one second factor.
  subject text not null,
  -- A client network that was successful before; empty for all other networks together.
  network text not null,
  failures integer not null default 0,
  last_attempt_at timestamptz not null,
  primary key (subject, network)
);
create index guesses_last_attempt_at_idx on auth.guesses (last_attempt_at);

alter table auth.guesses enable row level security;
revoke all on auth.guesses from public, anon, authenticated, service_role;
