-- Undo also changes enquiries: that of a restored booking is booked again. Such a change has an entry of its own.

-- Security definer: nobody else may write the log.
create or replace function private.record_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  -- Computed by the database.
  derived constant text[] := '{updated_at,updated_by,places_taken,places_left}';
  old_record constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - derived end;
  new_record constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - derived end;
  record constant jsonb := coalesce(new_record, old_record);
  is_draft constant boolean := tg_table_name = 'blog_posts'
    and old_record ->> 'published_at' is null and new_record ->> 'published_at' is null;
  changed text[] := '{}';
  changed_from jsonb := old_record;
  changed_to jsonb := new_record;
begin
  if tg_op = 'UPDATE' then
    select array_agg(o.key order by o.key), jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, new_record -> o.key)
    into changed, changed_from, changed_to
    from jsonb_each(old_record) as o where o.value is distinct from new_record -> o.key;
    if changed is null then
      return null;
    end if;
  end if;

  -- A cancelled date is restored as an open one and cancelled again, because a cancelled date accepts no bookings: one entry.
  if tg_op = 'UPDATE' and tg_table_name = 'course_dates' and current_setting('changes.restoring', true) = 'on' then
    update public.changes c set after = c.after || changed_to
    where c.record_id = (record ->> 'id')::uuid and c.act = 'restore' and c.transaction_id = pg_current_xact_id()::text::bigint;
    return null;
  end if;

  -- Autosave writes a draft many times: updates by one person within ten minutes of each other are one entry.
  if tg_op = 'UPDATE' and is_draft then
    update public.changes c set
      at = clock_timestamp(), about = private.about_record(tg_table_name, record),
      columns = array(select unnest(c.columns || changed) as name group by name order by name),
      before = changed_from || c.before, after = c.after || changed_to
    where c.id = (select max(l.id) from public.changes l where l.record_id = (record ->> 'id')::uuid)
      and c.act = 'update' and c.actor_id = auth.uid() and c.at > now() - interval '10 minutes' and c.before ->> 'published_at' is null;
    if found then
      return null;
    end if;
  end if;

  insert into public.changes (kind, record_id, act, actor, actor_id, actor_email, columns, about, before, after)
  values (
    tg_table_name, (record ->> 'id')::uuid,
    case when tg_op = 'INSERT' and current_setting('changes.restoring', true) = 'on' then 'restore' else lower(tg_op) end,
    case auth.role() when 'authenticated' then 'staff' when 'service_role' then 'service' else 'database' end,
    auth.uid(), (select coalesce(u.email, u.phone) from auth.users u where u.id = auth.uid()),
    changed, private.about_record(tg_table_name, record), changed_from, changed_to
  );
  return null;
end
$$;
