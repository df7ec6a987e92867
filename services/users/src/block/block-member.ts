import { conflict, invalid, missing, unauthenticated } from '@marketplace/kit/errors/problem.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import type { UsersSettings } from '../config.ts'
import type { Trx } from '../db.ts'
import { blockChanged } from './blocks.events.ts'
import {
  countBlocks,
  deleteBlock,
  deleteBlocksOfMember,
  insertBlock,
  lockAccounts,
  takeBlockNumbers,
  type Block,
} from './blocks.repo.ts'

/**
 * Blocks a member. Does nothing if the member is already blocked. Throws:
 * - `unauthenticated` (401) if the blocker's account was erased,
 * - `invalid` (400) if the two members are the same,
 * - `missing` (404) if the member to block is unknown or erased,
 * - `too_many_blocks` (409) if the blocker already blocks MAX_BLOCKS members.
 */
export async function blockMember(
  trx: Trx,
  block: Block,
  { MAX_BLOCKS: max }: Pick<UsersSettings, 'MAX_BLOCKS'>,
): Promise<void> {
  const { blockerId, blockedId } = block
  if (blockerId === blockedId) throw invalid('user_id', 'You cannot block yourself')
  const known = await lockAccounts(trx, [blockerId, blockedId])
  if (!known.includes(blockerId)) throw unauthenticated()
  if (!known.includes(blockedId)) throw missing('member')
  if (!(await insertBlock(trx, block))) return
  if ((await countBlocks(trx, blockerId, max + 1)) > max) {
    const limit = max.toLocaleString('en-US')
    throw conflict('too_many_blocks', `You can block ${limit} members. Unblock someone first.`)
  }
  await publishChanges(trx, [block], true)
}

/** Unblocks a member. Does nothing if the member is not blocked. */
export async function unblockMember(trx: Trx, block: Block): Promise<void> {
  // The blocker's account is locked, so that events are published in the order of the changes to the blocker's blocks.
  await lockAccounts(trx, [block.blockerId])
  if (await deleteBlock(trx, block)) await publishChanges(trx, [block], false)
}

/**
 * Deletes all blocks in which the member is the blocker or the blocked member, and publishes the changes. The caller
 * must already have erased the account in the same transaction, so that no new block can be added. Returns the number
 * of deleted blocks.
 */
export async function eraseBlocks(trx: Trx, memberId: string): Promise<number> {
  const blocks = await deleteBlocksOfMember(trx, memberId)
  await publishChanges(trx, blocks, false)
  return blocks.length
}

async function publishChanges(trx: Trx, blocks: readonly Block[], isBlocked: boolean): Promise<void> {
  const numbers = await takeBlockNumbers(trx, blocks.length)
  await publishAll(
    trx,
    blocks.map((block, index) => blockChanged({ ...block, isBlocked, number: numbers[index] ?? 0 })),
  )
}
