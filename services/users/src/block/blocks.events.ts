import { BlockChangedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import type { Block } from './blocks.repo.ts'

export interface BlockChange extends Block {
  isBlocked: boolean
  number: number
}

export function blockChanged({ number, ...change }: BlockChange): OutgoingEvent<typeof BlockChangedSchema> {
  return {
    topic: topics.users,
    key: change.blockerId,
    version: number,
    schema: BlockChangedSchema,
    message: { ...change, number: BigInt(number) },
  }
}
