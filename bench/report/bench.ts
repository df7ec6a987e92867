import { z } from 'zod'

/** The values of one side, one for each repetition. `what` includes the unit, as in `p99 ms`. */
export const Figure = z.object({ of: z.string(), side: z.string(), what: z.string(), values: z.array(z.number()) })

export const Goal = z.object({
  goal: z.string(),
  bound: z.enum(['at least', 'at most']),
  target: z.number(),
  /** One for each repetition; their median is compared with the target. */
  values: z.array(z.number()),
})

export const Outcome = z.object({
  /** The versions of what it ran on besides Node, such as `Postgres 18.4`. */
  versions: z.array(z.string()),
  figures: z.array(Figure),
  goals: z.array(Goal),
  /** Notes that are required to read the figures. */
  notes: z.array(z.string()).default([]),
})

export type Figure = z.output<typeof Figure>
export type Goal = z.output<typeof Goal>
export type Outcome = z.input<typeof Outcome>

/** A bar chart of one kind of figure: groups by what it is of, one color per side, logarithmic scale. */
export interface Plot {
  title: string
  what: string
}

export interface Bench {
  title: string
  /** What distinguishes the goals of this bench from goals of another bench with the same label, such as the bus. */
  scope?: string
  /** Paragraphs of the page: what is compared, and how. */
  method: readonly string[]
  plots: readonly Plot[]
  /** Why a goal is missed, according to a profile, and other notes on the figures. */
  findings?: readonly string[]
  /** `args` are the command-line arguments after the name. */
  run(print: (line: string) => void, args: readonly string[]): Promise<Outcome>
}
