import type { JournalEntry } from '@marketplace/ops/invariants/journal.ts'
import type { TestStack } from '../../support/processes/stack.ts'
import { signInUser, type Person } from './sign-in-user.ts'
import { actions, type Action } from './load-actions.ts'
import { LoadState } from './load-state.ts'

const names = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi']
const pauseMs = 20

/** Users who list, bid, buy, make offers and write in random order, and a journal of the responses they receive. */
export class Load {
  readonly state: LoadState
  readonly #people: readonly Person[]
  #isStopping = false
  #running: Promise<unknown> = Promise.resolve()

  private constructor(state: LoadState, people: readonly Person[]) {
    this.state = state
    this.#people = people
  }

  get journal(): readonly JournalEntry[] {
    return this.state.journal
  }

  /** Returns how often each response occurred. */
  summary(): string {
    return [...this.state.responses].map(([response, times]) => `${times} × ${response}`).join('\n')
  }

  static async start(stack: TestStack): Promise<Load> {
    const people = await signInAll(stack)
    const load = new Load(new LoadState(stack), people)
    load.#running = Promise.all(people.map((person) => load.#live(person)))
    return load
  }

  /** Waits until every user has finished the current action. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#running
  }

  /** Reads the unread counts of every user, to be compared with the database once it is idle. */
  async readUnread(): Promise<void> {
    for (const person of this.#people) await this.state.readUnread(person)
  }

  async #live(person: Person): Promise<void> {
    while (!this.#isStopping) {
      await act(this.state, person)
      await new Promise((done) => setTimeout(done, this.state.random() * pauseMs))
    }
  }
}

let loads = 0

// New users for each load: the lists of users who took part in earlier loads would slow this one down.
function signInAll(stack: TestStack): Promise<Person[]> {
  loads += 1
  return Promise.all(names.map((name) => signInUser(stack, `${name}-${loads}`)))
}

// A service that is down responds with an error or not at all; the load continues with another action.
async function act(state: LoadState, person: Person): Promise<void> {
  try {
    await pick(state)(state, person)
  } catch (error) {
    state.count(error)
  }
}

function pick(state: LoadState): Action {
  const total = actions.reduce((sum, [weight]) => sum + weight, 0)
  let place = state.random() * total
  for (const [weight, action] of actions) {
    place -= weight
    if (place < 0) return action
  }
  return actions[0][1]
}
