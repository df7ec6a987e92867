import { z } from 'zod'
import { newId } from '../http/ids.ts'

const operations = [
  'create',
  'retrieve',
  'list',
  'confirm',
  'authenticate',
  'cancel',
  'refund',
  'read_refunds',
  'read_charge',
  'read_disputes',
] as const
export type Operation = (typeof operations)[number]

const ms = z.int().min(0).max(3_600_000)
// Which calls or events a fault applies to, and how often.
const target = { intent: z.string().optional(), times: z.int().min(1).max(1_000_000).default(1) }
const callTarget = { ...target, operation: z.enum(operations).optional() }
const outcome = z.enum(['succeeded', 'failed']).default('succeeded')

/** The faults of a provider. Each is added by a test and used up by the calls or events it applies to. */
export const Fault = z.discriminatedUnion('kind', [
  // The call is not served and its connection breaks.
  z.strictObject({ kind: z.literal('down'), ...callTarget }),
  // The call is served, and its connection breaks after this time without a response.
  z.strictObject({ kind: z.literal('time_out'), ms: ms.default(30_000), ...callTarget }),
  // The call is served and its response is 500, also for replays of its key.
  z.strictObject({ kind: z.literal('error'), ...callTarget }),
  // The call is not served and its response is 500, also for replays of its key.
  z.strictObject({ kind: z.literal('refuse'), ...callTarget }),
  z.strictObject({ kind: z.literal('decline'), ...target }),
  z.strictObject({ kind: z.literal('processing'), ms, outcome, ...target }),
  z.strictObject({ kind: z.literal('succeed_after_cancel'), ms, ...target }),
  z.strictObject({ kind: z.literal('slow_refund'), ms, outcome, ...target }),
  // The refund succeeds, and fails after this time.
  z.strictObject({ kind: z.literal('fail_refund_later'), ms, ...target }),
  z.strictObject({ kind: z.literal('lose_webhook'), ...target }),
  z.strictObject({ kind: z.literal('delay_webhook'), ms, ...target }),
  z.strictObject({ kind: z.literal('duplicate_webhook'), copies: z.int().min(2).max(100).default(2), ...target }),
  // Sent after the next event instead of before it.
  z.strictObject({ kind: z.literal('reorder_webhook'), ...target }),
])

export type Fault = z.output<typeof Fault>
export type FaultKind = Fault['kind']
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>

export interface FaultTarget {
  intent: string
  operation?: Operation
}

/** The faults that tests have added, in memory: a restart removes them. */
export interface Faults {
  add(fault: z.input<typeof Fault>): string
  list(): (Fault & { id: string })[]
  clear(): void
  /** Returns the oldest matching fault of this kind and decrements its count. */
  take<Kind extends FaultKind>(kind: Kind, target: FaultTarget): FaultOf<Kind> | undefined
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
    take(kind, target) {
      for (const [id, fault] of active) {
        if (!isOf(fault, kind) || !matches(fault, target)) continue
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

function matches(fault: Fault, { intent, operation }: FaultTarget): boolean {
  const isThere = !('operation' in fault) || fault.operation === undefined || fault.operation === operation
  return isThere && (fault.intent === undefined || fault.intent === intent)
}
