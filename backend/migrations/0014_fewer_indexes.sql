-- Fewer indexes, so that sign-ins, refreshes and the counts of rate limits write less. An update that changes no indexed column
-- writes no index entry while the page has room.

-- No statement used these.
drop index auth.users_instance_id_email_idx;
drop index auth.users_instance_id_idx;
drop index auth.users_is_anonymous_idx;
drop index auth.refresh_tokens_parent_idx;
drop index auth.refresh_tokens_instance_id_user_id_idx;
drop index auth.audit_logs_instance_id_idx;

-- Only the clean-up and the retention job used these, and they can read the whole table: they run once an hour.
drop index auth.refresh_tokens_updated_at_idx;
drop index auth.rate_limits_filled_until_idx;
drop index auth.guesses_last_attempt_at_idx;

-- Finds the newest token of a session, which is the valid one.
drop index auth.refresh_tokens_session_id_revoked_idx;
create index refresh_tokens_session_id_id_idx on auth.refresh_tokens (session_id, id);

alter table auth.refresh_tokens set (fillfactor = 50);
alter table auth.rate_limits set (fillfactor = 50);
alter table auth.guesses set (fillfactor = 50);
