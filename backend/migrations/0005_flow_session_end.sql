-- The end of the session that a SAML assertion demands, stored until the code of the PKCE flow is exchanged.
alter table auth.flow_state add column session_not_after timestamptz;
