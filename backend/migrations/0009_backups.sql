-- Backups that are being made. While there is one, the bytes of deleted objects are kept, because its snapshot of the database may
-- list them. The row of a backup that was interrupted expires.
create table storage.backups (
  id uuid primary key default gen_random_uuid(),
  expires_at timestamptz not null
);
alter table storage.backups enable row level security;
revoke all on storage.backups from public, anon, authenticated, service_role;
