import { create } from '@bufbuild/protobuf'
import { expect, it } from 'vitest'
import { latestBlockChanges } from './block-changes.ts'
import { BlockChangedSchema } from './gen/marketplace/users/v1/users_pb.ts'

const event = (blockerId: string, blockedId: string, number: number, isBlocked = true) =>
  create(BlockChangedSchema, { blockerId, blockedId, isBlocked, number: BigInt(number) })

it('returns the change of each block with the highest number, in the order of ids', () => {
  const events = [event('b', 'a', 4), event('a', 'b', 3), event('b', 'a', 5, false), event('a', 'b', 2, false)]
  expect(latestBlockChanges(events)).toEqual([
    { blockerId: 'a', blockedId: 'b', isBlocked: true, number: 3 },
    { blockerId: 'b', blockedId: 'a', isBlocked: false, number: 5 },
  ])
  expect(latestBlockChanges([])).toEqual([])
})
