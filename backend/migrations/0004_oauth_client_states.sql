-- What a sign-in at another provider must bring back, under the names of a hosted project: flow_state.id travels as
-- `state`, the code verifier stays here and is used once.

create table auth.oauth_client_states (
  id uuid primary key,
  provider_type text not null,
  code_verifier text,
  created_at timestamptz not null
);
create index idx_oauth_client_states_created_at on auth.oauth_client_states (created_at);
alter table auth.flow_state add column oauth_client_state_id uuid;

alter table auth.oauth_client_states enable row level security;
revoke all on auth.oauth_client_states from public, anon, authenticated, service_role;
