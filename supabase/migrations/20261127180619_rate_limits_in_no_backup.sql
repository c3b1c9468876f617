-- A backup of hashed keys together with their salts would tell who used the site: networks and addresses can be tried one after the other. A
-- restored database begins with fresh limits.
comment on table private.rate_limit_windows is 'Not in backups: salts of rate limits.';
comment on table private.rate_limit_counts is 'Not in backups: hashed keys of rate limits.';
