import type { JournalEntry } from '@marketplace/dev/invariants/journal.ts'
import type { TestStack } from '../src/stack.ts'
import { enter, type Person } from './enter.ts'
import { actions, type Action } from './load-actions.ts'
import { Market } from './market.ts'

const names = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi']
const pauseMs = 20

/** People who list, bid, buy, offer and write, in random order, and a journal of what they were answered. */
export class Load {
  readonly market: Market
  readonly #people: readonly Person[]
  #isStopping = false
  #running: Promise<unknown> = Promise.resolve()

  private constructor(market: Market, people: readonly Person[]) {
    this.market = market
    this.#people = people
  }

  get journal(): readonly JournalEntry[] {
    return this.market.journal
  }

  /** What was answered how often. */
  summary(): string {
    return [...this.market.answers].map(([answer, times]) => `${times} × ${answer}`).join('\n')
  }

  static async start(stack: TestStack): Promise<Load> {
    const people = await (known.get(stack) ?? signInAll(stack))
    const load = new Load(new Market(stack), people)
    load.#running = Promise.all(people.map((person) => load.#live(person)))
    return load
  }

  /** Lets everybody finish what they are at. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#running
  }

  /** Asks everybody for their unread messages; to be held to the database once quiet. */
  async readUnread(): Promise<void> {
    for (const person of this.#people) await this.market.readUnread(person)
  }

  async #live(person: Person): Promise<void> {
    while (!this.#isStopping) {
      await act(this.market, person)
      await new Promise((done) => setTimeout(done, this.market.random() * pauseMs))
    }
  }
}

// Once per stack: more than 60 sign-ins a minute from one address are refused.
const known = new WeakMap<TestStack, Promise<Person[]>>()

function signInAll(stack: TestStack): Promise<Person[]> {
  const people = Promise.all(names.map((name) => enter(stack, name)))
  known.set(stack, people)
  return people
}

// What is down answers nothing or an error: the load goes on with something else.
async function act(market: Market, person: Person): Promise<void> {
  try {
    await pick(market)(market, person)
  } catch (error) {
    market.note(error)
  }
}

function pick(market: Market): Action {
  const total = actions.reduce((sum, [weight]) => sum + weight, 0)
  let place = market.random() * total
  for (const [weight, action] of actions) {
    place -= weight
    if (place < 0) return action
  }
  return actions[0][1]
}
