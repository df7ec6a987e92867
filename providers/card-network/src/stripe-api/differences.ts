import type { Stripe } from 'stripe'
import type { JsonSchema } from './extract.ts'

/** The version of the document from which `npm run generate:stripe` extracts. */
export const publishedVersion = '2026-08-26.dahlia'

/** The SDK's version, for which the list below was written. Change them together. */
export const pinnedVersion = '2026-10-28.endive' satisfies Stripe.LatestApiVersion

/** A change of the used part between the two versions. A place is a call and a parameter, or a schema and a field. */
export interface Difference {
  /** Stripe's changelog page, or the release of the SDK. */
  changelog: string
  removed?: readonly Place[]
  added?: readonly { place: Place; schema: JsonSchema }[]
  addedValues?: { places: readonly Place[]; values: readonly string[] }
}

export type Place = readonly [owner: string, property: string]

const creation = 'POST /v1/payment_intents'
const confirmation = 'POST /v1/payment_intents/{id}/confirm'
const paymentMethods = 'POST /v1/payment_methods'
const everywhere = (property: string): Place[] =>
  [creation, confirmation, 'payment_intent'].map((owner) => [owner, property])

// Only cards are used, so the parameters of another method are left out.
const newMethod = (method: string): Omit<Difference, 'changelog'> => ({
  added: [{ place: [paymentMethods, method], schema: false }],
  addedValues: {
    places: [...everywhere('excluded_payment_method_types'), [paymentMethods, 'type']],
    values: [method],
  },
})

// For changes without a page of their own.
export const sdkChangelog = 'https://github.com/stripe/stripe-node/blob/master/CHANGELOG.md'
const endive = 'https://docs.stripe.com/changelog/endive/2026-09-30'

/** Compared with the SDK's types by `pinned-api.test.ts`, which fails when one is missing. */
export const differences: readonly Difference[] = [
  {
    changelog: `${endive}/removes-the-payment-method-types-parameter-from-payment-intents-and-setup-intents`,
    removed: [
      [creation, 'payment_method_types'],
      [confirmation, 'payment_method_types'],
    ],
  },
  {
    changelog: `${endive}/card-present-and-interac-present-enum-values-for-allowed-payment-method-types`,
    addedValues: { places: everywhere('allowed_payment_method_types'), values: ['card_present', 'interac_present'] },
  },
  { changelog: `${endive}/paypay-payments-japan`, ...newMethod('paypay') },
  { changelog: `${endive}/sequra-payments`, ...newMethod('sequra') },
  {
    changelog: `${endive}/payment-records-on-payment-intents`,
    added: [{ place: ['payment_intent', 'payment_record'], schema: { type: ['string', 'null'] } }],
  },
  {
    changelog: `${sdkChangelog}#23-1-0`,
    added: [
      { place: ['dispute', 'intended_submission_method'], schema: { type: ['string', 'null'] } },
      { place: ['dispute_evidence', 'appeal'], schema: false },
      { place: ['dispute_evidence_details', 'submission_method'], schema: { type: ['string', 'null'] } },
    ],
    addedValues: { places: [['dispute', 'status']], values: ['appeal_needs_response', 'appeal_under_review'] },
  },
  {
    changelog: `${sdkChangelog}#23-0-0`,
    addedValues: {
      places: [['balance_transaction', 'type']],
      values: ['issuing_dispute_provisional_credit', 'issuing_dispute_provisional_credit_reversal'],
    },
  },
]

/** Fields of the SDK that no version of the document contains. */
export const undocumented: readonly Place[] = [
  ['payment_intent', 'source'],
  ['charge', 'source'],
  ['charge', 'authorization_code'],
  ['charge', 'level3'],
  ['dispute', 'network_reason_code'],
]

/** Parameters of the document that the SDK leaves to browsers. */
export const browserOnly: readonly Place[] = [[confirmation, 'client_secret']]
