import { defineConfig } from 'vitest/config'

/** The pure rules that the mutation run changes, and their tests, which start no server. */
export const rules = {
  'packages/contracts/src/fee.ts': ['packages/contracts/src/fee.test.ts'],
  'services/payments/src/sale/sale.ts': ['services/payments/src/sale/sale.test.ts'],
  'services/payments/src/ledger/ledger.ts': ['services/payments/src/ledger/ledger.test.ts'],
  'services/auction/src/auction/auction.ts': [
    'services/auction/src/auction/auction.test.ts',
    'services/auction/src/auction/evaluate-bids.test.ts',
  ],
  'services/auction/src/auction/bid-bounds.ts': ['services/auction/src/auction/bid-bounds.test.ts'],
  'services/auction/src/sale/hold.ts': ['services/auction/src/sale/hold.test.ts'],
  'services/catalog/src/sale/hold.ts': ['services/catalog/src/sale/hold.test.ts'],
  'services/catalog/src/offer/offer.ts': ['services/catalog/src/offer/offer.test.ts'],
  'services/catalog/src/listing/draft-rules.ts': ['services/catalog/src/listing/draft-rules.test.ts'],
  'services/users/src/session/session.ts': ['services/users/src/session/session.test.ts'],
  'services/gateway/src/routing/request-target.ts': ['services/gateway/src/routing/request-target.test.ts'],
  'services/gateway/src/routing/match.ts': ['services/gateway/src/routing/match.test.ts'],
} as const

const isMutated = (file: string) => [undefined, file].includes(process.env['MUTATED_RULE'])
const tests = Object.entries(rules).flatMap(([file, paths]) => (isMutated(file) ? paths : []))

export default defineConfig({ test: { include: tests, isolate: false } })
