import { parseArgs } from 'node:util'

/** What a scenario needs to be there before it starts. */
export interface Needs {
  people: number
  /** At a fixed price. */
  listings: number
  /** Auctions that end together, so many milliseconds after the load has begun. */
  auctions: number
  endsInMs: number
}

const none = { people: 0, listings: 0, auctions: 0, endsInMs: 0 }

/** Every scenario by its name; its script is scenarios/NAME.ts. */
export const scenarios: Readonly<Record<string, Needs>> = {
  browse: { ...none, listings: 60 },
  search: { ...none, listings: 60 },
  sell: { ...none, people: 40 },
  message: { ...none, people: 60, listings: 60 },
  checkout: { ...none, people: 60, listings: 180 },
  'auction-peak': { ...none, people: 120, auctions: 999, endsInMs: 60_000 },
  soak: { ...none, people: 120, listings: 60 },
}

export interface Options {
  scenario: string
  needs: Needs
  /** Somebody's marketplace; without it one is started. */
  base: string | undefined
  /** On a Postgres, a Kafka and a Redis of its own. */
  isReal: boolean
}

/** `NAME [--base URL | --real]`; undefined where that is not what was asked. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { base: { type: 'string' }, real: { type: 'boolean', default: false } },
  })
  const [scenario = ''] = positionals
  const needs = scenarios[scenario]
  return needs && { scenario, needs, base: values.base, isReal: values.real }
}
