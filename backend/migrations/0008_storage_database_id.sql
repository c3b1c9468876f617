-- The id of this database. The storage of uploaded files holds the same id: files are deleted as orphans only where both agree,
-- so that an empty or mistyped database cannot delete the files of another one.
create table storage.database_id (
  id uuid not null default gen_random_uuid(),
  only_row boolean primary key default true check (only_row)
);
alter table storage.database_id enable row level security;
revoke all on storage.database_id from public, anon, authenticated, service_role;
