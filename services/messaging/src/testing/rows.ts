import { newId } from '@marketplace/kit/values/ids.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Inserts messages of one sender, `m1` to `m<count>`, as a process of an earlier version does. */
export async function insertMessages(db: Db, conversationId: string, sender: TestUser, count: number): Promise<void> {
  await sql`
    insert into messages (id, conversation_id, sender_id, message_text, created_at)
    select uuidv7(), ${conversationId}, ${sender.userId}, 'm' || n, clock_timestamp()
    from generate_series(1, ${count}) as n`.execute(db)
}

/** Inserts conversations with one message each; five consecutive ones have the same time. Returns the ids, latest message first. */
export async function insertConversations(db: Db, buyer: TestUser, seller: TestUser, count: number): Promise<string[]> {
  const title = newId()
  await sql`
    insert into conversations (id, listing_id, listing_title, buyer_id, seller_id)
    select uuidv7(), uuidv7(), ${title}, ${buyer.userId}, ${seller.userId} from generate_series(1, ${count})`.execute(
    db,
  )
  const { rows } = await sql<{ id: string }>`
    with opened as (
      select id, row_number() over (order by md5(id::text)) as n from conversations where listing_title = ${title}
    ), written as (
      insert into messages (id, conversation_id, sender_id, message_text, created_at)
      select uuidv7(), id, ${buyer.userId}, 'Hello', timestamptz '2026-01-01 00:00:00.000001Z' + (n / 5) * interval '1 microsecond'
      from opened
    )
    select id from opened order by n / 5 desc, id desc`.execute(db)
  return rows.map(({ id }) => id)
}
