import { parseArgs } from 'node:util'

/** What a scenario needs before it starts. */
export interface Needs {
  people: number
  /** How many of the people list the items; 20 by default. */
  sellers?: number
  /** Fixed-price listings. */
  listings: number
  /** Auctions that end together, `endsInMs` after the load has started. */
  auctions: number
  endsInMs: number
  /** Two trends of the scenario and the largest accepted ratio of their p95: the second ÷ the first. */
  slowdown?: Slowdown
}

export interface Slowdown {
  before: string
  after: string
  most: number
}

const none = { people: 0, listings: 0, auctions: 0, endsInMs: 0 }

/** Every scenario by name; its script is scenarios/NAME.ts. */
export const scenarios: Readonly<Record<string, Needs>> = {
  browse: { ...none, listings: 60 },
  search: { ...none, listings: 60 },
  sell: { ...none, people: 40 },
  message: { ...none, people: 60, listings: 60 },
  checkout: { ...none, people: 60, listings: 180 },
  'auction-peak': { ...none, people: 120, auctions: 999, endsInMs: 60_000 },
  hostile: {
    people: 221,
    listings: 200,
    auctions: 40,
    endsInMs: 600_000,
    slowdown: { before: 'shopper_request_alone', after: 'shopper_request_attacked', most: 2 },
  },
  soak: { ...none, people: 120, listings: 60 },
}

export interface Options {
  scenario: string
  needs: Needs
  /** An external marketplace; without it one is started. */
  base: string | undefined
  /** Whether the started marketplace has its own Postgres, Kafka and Redis. */
  isReal: boolean
  /** Whether it has the settings of the production chart. */
  isProduction: boolean
}

/** Parses `NAME [--base URL | [--real] [--production]]`; returns undefined for an unknown scenario. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      base: { type: 'string' },
      real: { type: 'boolean', default: false },
      production: { type: 'boolean', default: false },
    },
  })
  const [scenario = ''] = positionals
  const needs = scenarios[scenario]
  return needs && { scenario, needs, base: values.base, isReal: values.real, isProduction: values.production }
}
