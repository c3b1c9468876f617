-- A crash empties unlogged tables, and with them every limit. Both tables are written together with logged ones, whose commit
-- they share.
alter table private.rate_limit_windows set logged;
alter table private.rate_limit_counts set logged;
