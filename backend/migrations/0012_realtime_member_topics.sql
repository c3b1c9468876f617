-- The index of topics takes long ones: a B-tree has no entries of more than 2,704 bytes.

drop index realtime.members_topic;
create index members_topic on realtime.members using hash (topic);
