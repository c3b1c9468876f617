-- Buckets and policies as a migration of a hosted project writes them.
insert into storage.buckets (id, name, public) values ('public', 'public', true), ('private', 'private', false);
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values ('pictures', 'pictures', true, 2000, '{image/*,application/pdf}');

create policy "everybody sees buckets but the hidden" on storage.buckets for select to authenticated using (id <> 'hidden');
create policy "staff read" on storage.objects for select to authenticated using (bucket_id <> 'writeonly');
create policy "staff insert outside the vault" on storage.objects for insert to authenticated
  with check ((storage.foldername(name))[1] is distinct from 'vault' and storage.extension(name) <> 'exe');
create policy "staff update outside the archive" on storage.objects for update to authenticated
  using ((storage.foldername(name))[1] is distinct from 'archive');
create policy "staff delete what is theirs" on storage.objects for delete to authenticated
  using (owner_id = (select auth.uid()::text) and (storage.foldername(name))[1] is distinct from 'archive');
