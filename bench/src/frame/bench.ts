import { z } from 'zod'

/** What one side came to, one value for each repetition. `what` names the unit too: `p99 ms`. */
export const Figure = z.object({ of: z.string(), side: z.string(), what: z.string(), values: z.array(z.number()) })

export const Goal = z.object({
  goal: z.string(),
  bound: z.enum(['at least', 'at most']),
  target: z.number(),
  /** One for each repetition; their median is held to the target. */
  values: z.array(z.number()),
})

export const Outcome = z.object({
  /** What it ran on besides Node: `Postgres 18.4`. */
  versions: z.array(z.string()),
  figures: z.array(Figure),
  goals: z.array(Goal),
  /** What else must be known to read the figures. */
  notes: z.array(z.string()).default([]),
})

export type Figure = z.output<typeof Figure>
export type Goal = z.output<typeof Goal>
export type Outcome = z.input<typeof Outcome>

/** Bars of one kind of figure, grouped by what it is of, one colour a side, on a logarithmic scale. */
export interface Plot {
  title: string
  what: string
}

export interface Bench {
  title: string
  /** Paragraphs of the page: what is compared, and how. */
  method: readonly string[]
  plots: readonly Plot[]
  /** Why a goal is missed, by a profile; and what must be known beside the figures. */
  findings?: readonly string[]
  /** `args` are what stands behind the name on the command line. */
  run(print: (line: string) => void, args: readonly string[]): Promise<Outcome>
}
