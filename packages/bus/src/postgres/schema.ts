import type { Session } from '@marketplace/kit/db/direct-connection.ts'

// SQL that creates the tables and functions of the bus. `bus.append` locks one row per partition until the commit, so
// that positions become visible in ascending order and readers miss no event.
const definition = `
select pg_advisory_xact_lock(hashtextextended('marketplace.bus', 0));

create table if not exists bus.parts (
  topic text not null,
  part int not null,
  position bigint not null default 0,
  primary key (topic, part)
) with (fillfactor = 50);

create table if not exists bus.events (
  topic text not null,
  part int not null,
  position bigint not null,
  id uuid not null,
  key text not null,
  type text not null,
  occurred_at timestamptz not null,
  version bigint not null,
  traceparent text,
  payload json not null,
  stored_at timestamptz not null default clock_timestamp(),
  primary key (topic, part, position)
);

create index if not exists events_stored on bus.events (topic, part, stored_at);

create table if not exists bus.positions (
  reader_group text not null,
  topic text not null,
  part int not null,
  position bigint not null,
  primary key (reader_group, topic, part)
);

create or replace function bus.append(incoming json) returns void language plpgsql as $$
begin
  insert into bus.parts (topic, part)
  select distinct e.topic, e.part from json_to_recordset(incoming) as e (topic text, part int) order by 1, 2
  on conflict do nothing;

  perform from bus.parts p
  where (p.topic, p.part) in (select e.topic, e.part from json_to_recordset(incoming) as e (topic text, part int))
  order by p.topic, p.part
  for update;

  insert into bus.events (topic, part, position, id, key, type, occurred_at, version, traceparent, payload)
  select e.topic, e.part, p.position + row_number() over (partition by e.topic, e.part order by e.place),
    e.id, e.key, e.type, e.occurred_at, e.version, e.traceparent, e.payload
  from rows from (json_to_recordset(incoming) as (topic text, part int, id uuid, key text, type text,
    "occurredAt" timestamptz, version bigint, traceparent text, payload json)
  ) with ordinality as e (topic, part, id, key, type, occurred_at, version, traceparent, payload, place)
  join bus.parts p on p.topic = e.topic and p.part = e.part;

  update bus.parts p set position = p.position + n.added
  from (select e.topic, e.part, count(*) as added from json_to_recordset(incoming) as e (topic text, part int) group by 1, 2) n
  where p.topic = n.topic and p.part = n.part;
end $$;
`

/**
 * Creates the schema and tables of the bus if they are missing. Then subscribes the session to notifications about new
 * events.
 */
export async function prepareBusSchema(session: Session): Promise<void> {
  const [found] = await session.query<{ schema: string | null; append: string | null }>(
    `select to_regnamespace('bus') as schema, to_regproc('bus.append') as append`,
  )
  if (!found?.append) {
    // Runs only if the schema is missing: `create schema if not exists` requires the privilege to create schemas even
    // if the schema exists.
    if (!found?.schema) await session.query('create schema if not exists bus')
    await session.query(definition)
  }
  await session.query('listen bus')
}
