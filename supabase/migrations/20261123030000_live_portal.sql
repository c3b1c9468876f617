-- The portal follows changes of letters too: a letter that failed appears on the dashboard.
do $$
begin
  -- A project may publish all tables already.
  if not exists (
    select from pg_publication_tables where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = 'letters'
  ) then
    alter publication supabase_realtime add table public.letters;
  end if;
end
$$;

-- Portals meet on private topics that begin with "portal:", to follow changes and to show who is editing a record. Nobody but staff
-- joins one or is shown as a member; nobody sends broadcasts.
create policy "staff see the members of portal topics" on realtime.messages for select to authenticated
  using (extension = 'presence' and (select realtime.topic()) like 'portal:%' and (select private.is_staff()));
create policy "staff are members of portal topics" on realtime.messages for insert to authenticated
  with check (extension = 'presence' and (select realtime.topic()) like 'portal:%' and (select private.is_staff()));

-- Of the polls that looked for the latest change.
drop index public.enquiries_updated_at_idx;
