import type { Figure } from '../report/bench.ts'

/** The figures of one run of a side, by name. */
export type Measures = Readonly<Record<string, number>>

export interface Side {
  name: string
  run(ms: number): Promise<Measures>
}

export interface Rounds {
  /** The length of each side's first run, which does not count. */
  warmUpMs: number
  count: number
  ms: number
}

export interface Comparison {
  figures: Figure[]
  values(side: string, what: string): number[]
  /** The ratios round by round, so that other load on the machine affects both sides. */
  ratio(what: string, side: string, other: string): number[]
}

/** Runs all sides in turn, round after round, so that other load on the machine affects all of them. */
export async function compare(of: string, sides: readonly Side[], rounds: Rounds): Promise<Comparison> {
  const runs = new Map(sides.map((side): [Side, Measures[]] => [side, []]))
  for (const side of sides) await side.run(rounds.warmUpMs)
  for (let round = 0; round < rounds.count; round++) {
    for (const [side, done] of runs) done.push(await side.run(rounds.ms))
  }
  return toComparison([...runs].flatMap(([{ name }, done]) => toFigures(of, name, done)))
}

export function toFigures(of: string, side: string, runs: readonly Measures[]): Figure[] {
  return Object.keys(runs[0] ?? {}).map((what) => ({
    of,
    side,
    what,
    values: runs.map((run) => run[what] ?? Number.NaN),
  }))
}

function toComparison(figures: Figure[]): Comparison {
  const values = (side: string, what: string) =>
    figures.find((figure) => figure.side === side && figure.what === what)?.values ?? []
  return {
    figures,
    values,
    ratio(what, side, other) {
      const below = values(other, what)
      return values(side, what).map((value, round) => value / (below[round] ?? Number.NaN))
    },
  }
}
