-- Buckets and objects, with the names and types of a hosted project, so that policies written for one work unchanged.

create schema if not exists storage;
grant usage on schema storage to anon, authenticated, service_role;

create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');

create table storage.buckets (
  id text primary key,
  name text not null,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  owner_id text,
  type storage.buckettype not null default 'STANDARD',
  constraint buckets_name_length check (char_length(name) <= 100)
);
create unique index bname on storage.buckets (name);
comment on column storage.buckets.owner is 'Field is deprecated, use owner_id instead';

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets,
  name text,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  -- The key of the stored bytes.
  version text,
  owner_id text,
  user_metadata jsonb
);
create unique index bucketid_objname on storage.objects (bucket_id, name);
create index idx_objects_bucket_id_name on storage.objects (bucket_id, name collate "C");
create index name_prefix_search on storage.objects (name text_pattern_ops);
create index objects_version_idx on storage.objects (version);
comment on column storage.objects.owner is 'Field is deprecated, use owner_id instead';

create function storage.foldername(name text) returns text[]
  language sql immutable
as $$ select (string_to_array(name, '/'))[1:greatest(cardinality(string_to_array(name, '/')) - 1, 0)] $$;

create function storage.filename(name text) returns text
  language sql immutable
as $$ select (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))] $$;

create function storage.extension(name text) returns text
  language sql immutable
as $$ select reverse(split_part(reverse(storage.filename(name)), '.', 1)) $$;

-- The operation of the request, such as `storage.object.upload`.
create function storage.operation() returns text
  language sql stable
as $$ select current_setting('storage.operation', true) $$;

create function storage.update_updated_at_column() returns trigger
  language plpgsql
as $$
begin
  new.updated_at = now();
  return new;
end
$$;
create trigger update_objects_updated_at before update on storage.objects
  for each row execute function storage.update_updated_at_column();

-- Refuses a delete that does not come from the Storage API, because it would leave orphaned bytes. The API sets
-- storage.allow_delete_query in its transaction.
create function storage.protect_delete() returns trigger
  language plpgsql
as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using hint = 'This prevents accidental data loss from orphaned objects.', errcode = '42501';
  end if;
  return null;
end
$$;
create trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();
create trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();

-- Resumable uploads. Each part is stored separately until the upload is complete.
create table storage.resumable_uploads (
  id uuid primary key,
  bucket_id text not null references storage.buckets on delete cascade,
  name text not null,
  owner_id text,
  upsert boolean not null,
  size bigint not null check (size > 0),
  received bigint not null default 0 check (received between 0 and size),
  metadata jsonb not null,
  -- The key of the complete object, set when the parts are joined.
  version text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index resumable_uploads_bucket_id_idx on storage.resumable_uploads (bucket_id);
create index resumable_uploads_expires_at_idx on storage.resumable_uploads (expires_at);

create table storage.resumable_parts (
  upload_id uuid not null references storage.resumable_uploads on delete cascade,
  start bigint not null,
  size bigint not null check (size > 0),
  version text not null unique,
  primary key (upload_id, start)
);

-- Orphans: keys of stored bytes that no row refers to. A row is deleted here after its bytes are.
create table storage.removed_bytes (
  version text primary key,
  removed_at timestamptz not null default now()
);

create function storage.remember_removed_bytes() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if old.version is not null and (tg_op = 'DELETE' or old.version is distinct from new.version) then
    insert into storage.removed_bytes (version) values (old.version) on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger remember_removed_bytes after update of version or delete on storage.objects
  for each row execute function storage.remember_removed_bytes();
create trigger remember_removed_bytes after delete on storage.resumable_parts
  for each row execute function storage.remember_removed_bytes();

-- Tells the caches of public objects which object or bucket changed.
create function storage.announce_change() returns trigger
  language plpgsql
as $$
begin
  if tg_table_name = 'buckets' then
    perform pg_notify('storage_changes', old.id);
  else
    -- The payload of a notification is limited to 8000 bytes.
    perform pg_notify('storage_changes', left(old.bucket_id || '/' || old.name, 1900));
  end if;
  return null;
end
$$;
create trigger announce_change after update or delete on storage.buckets
  for each row execute function storage.announce_change();
create trigger announce_change after update or delete on storage.objects
  for each row execute function storage.announce_change();

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
alter table storage.resumable_uploads enable row level security;
alter table storage.resumable_parts enable row level security;
alter table storage.removed_bytes enable row level security;

-- Every API role has all privileges, as in a hosted project: row-level security decides.
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
revoke all on storage.resumable_uploads, storage.resumable_parts, storage.removed_bytes from public, anon, authenticated, service_role;

-- The id of this database. The storage of uploaded files holds the same id: files are deleted as orphans only where both agree,
-- so that an empty or mistyped database cannot delete the files of another one.
create table storage.database_id (
  id uuid not null default gen_random_uuid(),
  only_row boolean primary key default true check (only_row)
);
alter table storage.database_id enable row level security;
revoke all on storage.database_id from public, anon, authenticated, service_role;
