-- The tables whose changes the portal follows live. Row-level security decides who receives which row.
do $$
declare
  followed text;
begin
  foreach followed in array array['bookings', 'enquiries', 'course_dates', 'waiting_list'] loop
    -- A project may publish all tables already.
    if not exists (
      select from pg_publication_tables where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = followed
    ) then
      execute format('alter publication supabase_realtime add table public.%I', followed);
    end if;
  end loop;
end
$$;
