import type { JournalEntry } from '@marketplace/ops/invariants/journal.ts'
import type { TestStack } from '../../support/processes/stack.ts'
import { injectCardFault, type CardFault } from './card-faults.ts'
import type { Person } from './sign-in-user.ts'

export interface KnownListing {
  id: string
  sellerId: string
  isAuction: boolean
  endsAt: number
  /** In cents: the newest current bid seen, or the price. */
  price: number
}

/** Includes auctions that ended just now: late bids must be rejected. */
export function isOpen({ isAuction, endsAt }: KnownListing): boolean {
  return isAuction && endsAt > Date.now() - 300
}

type Draft<Entry = JournalEntry> = Entry extends JournalEntry ? Omit<Entry, 'startedAt' | 'endedAt'> : never

/** State shared by the users of a load: the known listings and the journal. */
export class LoadState {
  readonly journal: JournalEntry[] = []
  readonly listings: KnownListing[] = []
  /** How often each status occurred; 0 means no response. */
  readonly responses = new Map<string, number>()
  readonly injectCardFault: (fault: CardFault) => Promise<void>
  #seed = 20_260_101

  constructor(stack: TestStack) {
    this.injectCardFault = (fault) => injectCardFault(stack, fault)
  }

  // A fixed seed (mulberry32): users choose the same actions in every run, only the order of responses differs.
  random(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  integer(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1))
  }

  /** Returns one of the newest listings of other users that fits. */
  find(person: Person, fits: (listing: KnownListing) => boolean): KnownListing | undefined {
    const found = this.listings.slice(-12).filter((listing) => listing.sellerId !== person.id && fits(listing))
    return found[Math.floor(this.random() * found.length)]
  }

  /**
   * Sends a write and adds what was acknowledged to the journal. Returns undefined when it was rejected or got no
   * response.
   */
  async send<Body>(
    person: Person,
    [method, path, body]: readonly [method: string, path: string, body?: unknown],
    acknowledged: (response: Body) => Draft | undefined,
  ): Promise<Body | undefined> {
    const startedAt = Date.now()
    const { status, body: response } = await person.client.send<Body>(method, path, body)
    this.count(`${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '…')} ${status}`)
    if (status >= 300) return undefined
    const draft = acknowledged(response)
    if (draft) this.journal.push({ ...draft, startedAt, endedAt: Date.now() })
    return response
  }

  async readUnread(person: Person): Promise<void> {
    const startedAt = Date.now()
    const conversations = await person.client.get<{ id: string; unread_count: number }[]>('/api/conversations')
    for (const { id: conversationId, unread_count: count } of conversations) {
      this.journal.push({ kind: 'unread', conversationId, readerId: person.id, count, startedAt, endedAt: Date.now() })
    }
  }

  count(what: unknown): void {
    const name = what instanceof Error ? what.message.slice(0, 80) : String(what)
    this.responses.set(name, (this.responses.get(name) ?? 0) + 1)
  }
}
