import { z } from 'zod'
import { newId } from './ids.ts'

const operations = [
  'create',
  'retrieve',
  'list',
  'confirm',
  'authenticate',
  'cancel',
  'refund',
  'read_refunds',
] as const
export type Operation = (typeof operations)[number]

const ms = z.int().min(0).max(3_600_000)
// Which calls or events it strikes, and how many of them.
const aim = { intent: z.string().optional(), times: z.int().min(1).max(1_000_000).default(1) }
const aimAtCall = { ...aim, operation: z.enum(operations).optional() }
const outcome = z.enum(['succeeded', 'failed']).default('succeeded')

/** What a provider may do to a shop, one kind each; every one is switched on by a test and used up by what it strikes. */
export const Fault = z.discriminatedUnion('kind', [
  // The call is not served and its connection breaks.
  z.strictObject({ kind: z.literal('down'), ...aimAtCall }),
  // The call is served, but its answer never arrives: the connection breaks after this time.
  z.strictObject({ kind: z.literal('time_out'), ms: ms.default(30_000), ...aimAtCall }),
  // The call is served and answered with 500, to its key's repeats too.
  z.strictObject({ kind: z.literal('error'), ...aimAtCall }),
  // The call is not served and answered with 500, to its key's repeats too.
  z.strictObject({ kind: z.literal('refuse'), ...aimAtCall }),
  z.strictObject({ kind: z.literal('decline'), ...aim }),
  z.strictObject({ kind: z.literal('processing'), ms, outcome, ...aim }),
  z.strictObject({ kind: z.literal('succeed_after_cancel'), ms, ...aim }),
  z.strictObject({ kind: z.literal('slow_refund'), ms, outcome, ...aim }),
  z.strictObject({ kind: z.literal('lose_webhook'), ...aim }),
  z.strictObject({ kind: z.literal('delay_webhook'), ms, ...aim }),
  z.strictObject({ kind: z.literal('duplicate_webhook'), copies: z.int().min(2).max(100).default(2), ...aim }),
  // Sent after the next event instead of before it.
  z.strictObject({ kind: z.literal('reorder_webhook'), ...aim }),
])

export type Fault = z.output<typeof Fault>
export type FaultKind = Fault['kind']
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>

export interface Struck {
  intent: string
  operation?: Operation
}

/** Switches for tests. They live in memory: a network that starts anew works well. */
export interface Faults {
  add(fault: z.input<typeof Fault>): string
  list(): (Fault & { id: string })[]
  clear(): void
  /** The oldest fault of this kind that aims here, used up once by the asking. */
  take<Kind extends FaultKind>(kind: Kind, struck: Struck): FaultOf<Kind> | undefined
}

export function openFaults(): Faults {
  const active = new Map<string, Fault>()
  return {
    add(fault) {
      const id = newId('fault')
      active.set(id, Fault.parse(fault))
      return id
    },
    list: () => [...active].map(([id, fault]) => ({ ...fault, id })),
    clear: () => active.clear(),
    take(kind, struck) {
      for (const [id, fault] of active) {
        if (!isOf(fault, kind) || !strikes(fault, struck)) continue
        if (fault.times === 1) active.delete(id)
        else active.set(id, { ...fault, times: fault.times - 1 })
        return fault
      }
      return undefined
    },
  }
}

function isOf<Kind extends FaultKind>(fault: Fault, kind: Kind): fault is FaultOf<Kind> {
  return fault.kind === kind
}

function strikes(fault: Fault, { intent, operation }: Struck): boolean {
  const isThere = !('operation' in fault) || fault.operation === undefined || fault.operation === operation
  return isThere && (fault.intent === undefined || fault.intent === intent)
}
