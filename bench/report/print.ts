import type { Figure, Goal } from './bench.ts'
import { groupBy, isMet, number, withSpread } from './words.ts'

/** Formats figures as lines for a terminal: a heading for each group, then one line per side. */
export function figureLines(figures: readonly Figure[]): string[] {
  return [...groupBy(figures, ({ of }) => of)].flatMap(([of, ofOne]) => [
    of,
    ...[...groupBy(ofOne, ({ side }) => side)].map(
      ([side, all]) =>
        `  ${side.padEnd(24)} ${all.map(({ what, values }) => `${what} ${withSpread(values)}`).join('   ')}`,
    ),
  ])
}

export function goalLines(goals: readonly Goal[]): string[] {
  return goals.map(
    (goal) =>
      `${isMet(goal) ? 'met   ' : 'MISSED'} ${goal.goal}: ${withSpread(goal.values)}, ${goal.bound} ${number(goal.target)}`,
  )
}
