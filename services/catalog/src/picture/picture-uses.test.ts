import { transaction } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteExpiredRevisions } from '../listing/history/history.repo.ts'
import { editListing as runEdit } from '../listing/life/edit-listing.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { editListing, sellListing } from '../testing/life.ts'

let harness: Harness
let first: string
let second: string
let third: string
let listingId: string

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  ;[first, second, third] = [await insertPicture(), await insertPicture(), await insertPicture()]
  listingId = await harness.createListing({ pictures: [{ id: first }] })
})

/** Inserts a ready picture of the seller, whose files do not exist. */
async function insertPicture(): Promise<string> {
  const id = newId()
  await harness.rows(
    `insert into pictures (id, uploader_id, state, content_type, byte_size, etag, hash, width, height, formats, widths,
       thumbhash, phash, unused_since)
     values ($1, $2, 'ready', 'image/jpeg', 1, 'e', '0123456789abcdef', 400, 300, '{jpeg}', '{400}', '', repeat('0', 64)::bit(64),
       clock_timestamp())`,
    [id, harness.seller.userId],
  )
  return id
}

/** Shows these pictures in the listing at the given terms version. */
async function show(version: number, ...ids: string[]): Promise<void> {
  const pictures = ids.map((id) => ({ id }))
  const { status } = await editListing(harness, listingId, { listing_version: version, pictures })
  expect(status).toBe(200)
}

/** Deletes the revisions that are neither current nor held. */
async function expireRevisions(): Promise<void> {
  await harness.rows(`update listing_revisions set at = at - interval '366 days' where listing_id = $1`, [listingId])
  await deleteExpiredRevisions(harness.db)
}

const usedPictures = async () => {
  const rows = await harness.rows(
    `select id from pictures where id = any($1) and unused_since is null
       and exists (select from picture_uses where picture_id = id and listing_id = $2) order by id`,
    [[first, second, third], listingId],
  )
  return rows.map(({ id }) => id)
}

describe('the pictures of earlier revisions', () => {
  it('PHOTO-09 stay in use until the next change of pictures after their last revision is deleted', async () => {
    await show(1, second)
    expect(await usedPictures()).toEqual([first, second])
    const refused = await harness.call('DELETE', `/api/pictures/${first}`, { as: harness.seller })
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    await expireRevisions()
    await show(2, third)
    expect(await usedPictures()).toEqual([second, third])
    expect((await harness.call('DELETE', `/api/pictures/${first}`, { as: harness.seller })).status).toBe(200)
  })

  it('PHOTO-09 stay in use while a sale refers to one of their revisions', async () => {
    await sellListing(harness, listingId, { outcome: SettleOutcome.RELEASED })
    await show(1, first, second)
    await show(2, third)
    await expireRevisions()
    await show(3)
    expect(await usedPictures()).toEqual([first, third])
  })

  it('PHOTO-09 stay in use when the listing shows them again, also with another change in between', async () => {
    await show(1, second)
    await show(2, first)
    await editListing(harness, listingId, { listing_version: 3, title: 'Another' })
    await show(4, third)
    await harness.rows(
      `update listing_revisions set at = at - interval '366 days' where listing_id = $1 and terms_version < 4`,
      [listingId],
    )
    await deleteExpiredRevisions(harness.db)
    await show(5)
    expect(await usedPictures()).toEqual([first, third])
  })

  it('PHOTO-09 stay in use when the listing shows them again after their last revision was deleted', async () => {
    await show(1, second)
    await expireRevisions()
    await show(2, first)
    expect(await usedPictures()).toEqual([first, second])
  })

  it('PHOTO-09 stay in use if an earlier version of the service stored the changes', async () => {
    await show(1, second)
    await show(2, third)
    await harness.rows('update picture_uses set last_terms_version = null where listing_id = $1', [listingId])
    await show(3)
    expect(await usedPictures()).toEqual([first, second, third])
    await expireRevisions()
    await show(4)
    expect(await usedPictures()).toEqual([])
  })

  it('are not read by an edit, which only counts the newest 100 revisions', async () => {
    await harness.rows(
      `insert into listing_revisions select (jsonb_populate_record(r, jsonb_build_object('terms_version', n, 'at', at - interval '1 day'))).*
       from listing_revisions r, generate_series(2, 1000) as n where listing_id = $1`,
      [listingId],
    )
    await harness.rows('update listings set terms_version = 1000 where id = $1', [listingId])
    const edit = { picturesField: 'image_urls', pictures: [{ url: 'https://a.example/2.jpg', alt: null }] } as const
    const command = { listingId, userId: harness.seller.userId, listingVersion: 1000, edit }
    const read = await transaction(harness.db, async (trx) => {
      const before = await countReads()
      await runEdit(harness, trx, command)
      return (await countReads()) - before

      async function countReads(): Promise<number> {
        const { rows } = await sql<{ count: number }>`
          select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables
          where schemaname = current_schema() and relname = 'listing_revisions'`.execute(trx)
        return rows[0]?.count ?? 0
      }
    })
    expect(read).toBeLessThan(110)
    expect(await usedPictures()).toEqual([first])
  })
})
