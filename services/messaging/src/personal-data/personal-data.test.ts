import { transaction } from '@marketplace/kit/db/db.ts'
import { erasedTitle } from '@marketplace/kit/personal-data/erased.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { waitForBlockedStatements } from '@marketplace/testing/blocked-statements.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lockConversation } from '../conversation/conversations.repo.ts'
import { markRead } from '../conversation/mark-read.ts'
import { openConversation } from '../conversation/open-conversation.ts'
import type { Trx } from '../db.ts'
import { sendMessage } from '../message/send-message.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { lockConversationsOfUser } from './personal-data.repo.ts'
import { personalData } from './personal-data.ts'

let harness: Harness
let seller: TestUser
let buyer: TestUser
let conversationId: string

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  seller = harness.addUser('Olive')
  buyer = harness.addUser('Bob')
  conversationId = (await transaction(harness.db, (trx) => open(trx, 'Hello'))).id
})

const open = (trx: Trx, text: string) => {
  const draft = {
    listingId: newId(),
    listingTitle: 'A quetzal feather',
    buyerId: buyer.userId,
    sellerId: seller.userId,
  }
  return openConversation(trx, { draft, text, quotas: harness.settings })
}
const send = (trx: Trx, sender: TestUser) =>
  sendMessage(trx, { conversationId, senderId: sender.userId, text: 'A zephyr note' }, harness.settings)
const erase = (user: TestUser) => transaction(harness.db, (trx) => personalData.erase(trx, user.userId))
const waitForLock = () => waitForBlockedStatements(async (text) => (await sql.raw(text).execute(harness.db)).rows)

/** Starts the user's erasure during `work`, and continues with `after` when the erasure waits for a lock or is done. */
async function eraseDuring(
  user: TestUser,
  work: (trx: Trx) => Promise<unknown>,
  after: (trx: Trx) => Promise<unknown> = async () => undefined,
): Promise<void> {
  const erasures: Promise<unknown>[] = []
  await transaction(harness.db, async (trx) => {
    await work(trx)
    const erasure = erase(user)
    erasures.push(erasure)
    await Promise.race([erasure, waitForLock()])
    await after(trx)
  })
  await Promise.all(erasures)
}

async function textsOf(sender: TestUser): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select message_text as text from messages where sender_id = ${sender.userId} order by seq`.execute(harness.db)
  return rows.map(({ text }) => text)
}

async function titles(): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select listing_title as title from conversations where seller_id = ${seller.userId}`.execute(harness.db)
  return rows.map(({ title }) => title)
}

const erasedText = 'This message was erased with its sender.'

describe('the erasure of a person', () => {
  it('includes a message and a conversation that commit while it waits for them', async () => {
    await eraseDuring(buyer, async (trx) => {
      await send(trx, buyer)
      await open(trx, 'A zephyr note')
    })
    expect(await textsOf(buyer)).toEqual([erasedText, erasedText, erasedText])
  })

  it('MSG-12 succeeds beside a message to the erased seller, which is stored', async () => {
    await eraseDuring(
      seller,
      (trx) => lockConversation(trx, conversationId, buyer.userId),
      (trx) => send(trx, buyer),
    )
    expect(await textsOf(buyer)).toEqual(['Hello', 'A zephyr note'])
    expect(await titles()).toEqual([erasedTitle])
  })

  it('MSG-08 makes a reader wait, because marking messages as read updates the same messages', async () => {
    const reads: Promise<string>[] = []
    const first = await transaction(harness.db, async (trx) => {
      await lockConversationsOfUser(trx, buyer.userId)
      const read = transaction(harness.db, async (other) => {
        await markRead(other, conversationId, seller.userId)
        return 'is read'
      })
      reads.push(read)
      return Promise.race([read, waitForLock().then(() => 'waits')])
    })
    expect(first).toBe('waits')
    expect(await Promise.all(reads)).toEqual(['is read'])
  })

  it('MSG-08 is followed by 401 for further messages of the person, which are not stored', async () => {
    await erase(buyer)
    const body = { conversation_id: conversationId, message_text: 'A zephyr note' }
    expect((await harness.post('/api/messages', body, buyer)).status).toBe(401)
    await expect(transaction(harness.db, (trx) => open(trx, 'Hi'))).rejects.toMatchObject({ kind: 'unauthenticated' })
    expect(await textsOf(buyer)).toEqual([erasedText])
    expect((await harness.post('/api/messages', body, seller)).status).toBe(201)
  })

  it('MSG-07 includes the listing’s title in conversations that start meanwhile and later', async () => {
    await eraseDuring(seller, (trx) => open(trx, 'Hi'))
    const later = await transaction(harness.db, (trx) => open(trx, 'Hi'))
    expect(later.listingTitle).toBe(erasedTitle)
    expect(await titles()).toEqual([erasedTitle, erasedTitle, erasedTitle])
  })
})
