import type { JournalEntry } from '@marketplace/dev/invariants/journal.ts'
import type { TestStack } from '../src/stack.ts'
import { strike, type CardFault } from './card-switches.ts'
import type { Person } from './enter.ts'

export interface KnownListing {
  id: string
  sellerId: string
  isAuction: boolean
  endsAt: number
  /** Cents: the newest current bid seen, or the price. */
  price: number
}

/** Also just after the end: late bids have to be refused. */
export function isOpen({ isAuction, endsAt }: KnownListing): boolean {
  return isAuction && endsAt > Date.now() - 300
}

type Draft<Entry = JournalEntry> = Entry extends JournalEntry ? Omit<Entry, 'startedAt' | 'endedAt'> : never

/** What the people of a load know together: the listings there are, and the journal. */
export class Market {
  readonly journal: JournalEntry[] = []
  readonly listings: KnownListing[] = []
  /** How often each status was answered; 0 is no answer. */
  readonly answers = new Map<string, number>()
  readonly strike: (fault: CardFault) => Promise<void>
  #seed = 20_260_101

  constructor(stack: TestStack) {
    this.strike = (fault) => strike(stack, fault)
  }

  // A fixed seed (mulberry32): the same people want the same; only the order of answers differs.
  random(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  integer(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1))
  }

  /** One of the newest listings of others that fits. */
  find(person: Person, fits: (listing: KnownListing) => boolean): KnownListing | undefined {
    const found = this.listings.slice(-12).filter((listing) => listing.sellerId !== person.id && fits(listing))
    return found[Math.floor(this.random() * found.length)]
  }

  /** Sends a write; what was acknowledged goes into the journal. Undefined when it was refused or not answered. */
  async write<Body>(
    person: Person,
    [method, path, body]: readonly [method: string, path: string, body?: unknown],
    acknowledged: (answer: Body) => Draft | undefined,
  ): Promise<Body | undefined> {
    const startedAt = Date.now()
    const { status, body: answer } = await person.client.send<Body>(method, path, body)
    this.note(`${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '…')} ${status}`)
    if (status >= 300) return undefined
    const draft = acknowledged(answer)
    if (draft) this.journal.push({ ...draft, startedAt, endedAt: Date.now() })
    return answer
  }

  async readUnread(person: Person): Promise<void> {
    const startedAt = Date.now()
    const conversations = await person.client.get<{ id: string; unread_count: number }[]>('/api/conversations')
    for (const { id: conversationId, unread_count: count } of conversations) {
      this.journal.push({ kind: 'unread', conversationId, readerId: person.id, count, startedAt, endedAt: Date.now() })
    }
  }

  note(what: unknown): void {
    const name = what instanceof Error ? what.message.slice(0, 80) : String(what)
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1)
  }
}
