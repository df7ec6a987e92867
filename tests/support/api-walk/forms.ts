import type { Form } from './bad-values.ts'
import type { Call } from './contract.ts'

// A UUIDv7 that identifies no record.
export const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

const id = { kind: 'id' } as const
const dollars = { kind: 'dollars' } as const
const boolean = { kind: 'boolean' } as const
const intent = { body: { payment_intent_id: 'pi_nothing' }, fields: { payment_intent_id: { kind: 'code' } } } as const
const entry = { id: '1', text: 'Hi', sender: 'user', timestamp: '2025-11-03T10:15:30Z' }

const common = {
  title: { kind: 'text', max: 200 },
  description: { kind: 'text', max: 5000, isOptional: true },
  condition: { kind: 'choice', isOptional: true },
  location: { kind: 'text', max: 200, isOptional: true },
  image_urls: { kind: 'list', isOptional: true },
  pictures: { kind: 'list', isOptional: true },
  category_id: { kind: 'whole' },
  is_auction: { ...boolean, isOptional: true },
} as const

/** Every operation with a request body, with every field of it. */
export const forms: readonly (readonly [call: Call, form: Form])[] = [
  [
    'POST /api/listings',
    {
      body: { title: 'A lamp', price: 5, category_id: 1 },
      fields: {
        ...common,
        price: dollars,
        accept_offers: { ...boolean, isOptional: true },
        is_on_sale: { ...boolean, isOptional: true },
      },
    },
  ],
  [
    'POST /api/listings',
    {
      body: {
        title: 'A watch',
        is_auction: true,
        starting_bid: 5,
        auction_end_date: new Date(Date.now() + 86_400_000).toISOString(),
        category_id: 1,
      },
      fields: {
        starting_bid: dollars,
        buy_it_now_price: { ...dollars, isOptional: true },
        auction_end_date: { kind: 'time' },
      },
    },
  ],
  [
    'POST /api/pictures',
    {
      body: { content_type: 'image/jpeg', byte_size: 1000 },
      fields: { content_type: { kind: 'text', max: 100 }, byte_size: { kind: 'whole' } },
    },
  ],
  [
    'PATCH /api/listings/{id}',
    {
      body: { listing_version: 1 },
      fields: {
        listing_version: { kind: 'whole' },
        title: { ...common.title, isOptional: true },
        description: common.description,
        condition: common.condition,
        location: common.location,
        image_urls: common.image_urls,
        category_id: { ...common.category_id, isOptional: true },
        price: { ...dollars, isOptional: true },
        accept_offers: { ...boolean, isOptional: true },
        is_on_sale: { ...boolean, isOptional: true },
      },
    },
  ],
  ['PUT /api/drafts/{id}', { body: {}, fields: {} }],
  ['POST /api/listings/{id}/relist', { body: {}, fields: { price: { ...dollars, isOptional: true } } }],
  ['POST /api/bids', { body: { listing_id: unknownId, amount: 5 }, fields: { listing_id: id, amount: dollars } }],
  [
    'POST /api/offers',
    {
      body: { listing_id: unknownId, amount: 5 },
      fields: { listing_id: id, amount: dollars, message: { kind: 'text', max: 1000, isOptional: true } },
    },
  ],
  [
    'POST /api/offers/{id}/counter',
    { body: { amount: 5 }, fields: { amount: dollars, message: { kind: 'text', max: 1000, isOptional: true } } },
  ],
  [
    'POST /api/conversations',
    {
      body: { listing_id: unknownId, message_text: 'Hi' },
      fields: { listing_id: id, message_text: { kind: 'text', max: 1000 } },
    },
  ],
  [
    'POST /api/messages',
    {
      body: { conversation_id: unknownId, message_text: 'Hi' },
      fields: { conversation_id: id, message_text: { kind: 'text', max: 1000 } },
    },
  ],
  ['POST /api/watchlist', { body: { listing_id: unknownId }, fields: { listing_id: id } }],
  [
    'POST /api/payments/create-intent',
    {
      body: { listing_id: unknownId, transaction_type: 'buy_now' },
      fields: {
        listing_id: id,
        transaction_type: { kind: 'choice' },
        sale_price: { ...dollars, isOptional: true },
        listing_version: { kind: 'whole', isOptional: true },
      },
    },
  ],
  ['POST /api/payments/confirm', intent],
  ['POST /api/payments/cancel', intent],
  [
    'POST /api/users/notification-preferences',
    { body: { deals: true, offers: true }, fields: { deals: boolean, offers: boolean } },
  ],
  ['POST /api/blocks', { body: { user_id: unknownId }, fields: { user_id: id } }],
  [
    'POST /api/search/track',
    {
      body: { search_term: 'lamp', session_id: 's', result_count: 1 },
      fields: {
        search_term: { kind: 'text', max: 200 },
        session_id: { kind: 'text', max: 100, isOptional: true },
        result_count: { kind: 'whole' },
      },
    },
  ],
  [
    'POST /api/chat',
    {
      body: { message: 'Hi', conversation_history: [entry] },
      fields: { message: { kind: 'text', max: 4000 }, conversation_history: { kind: 'list', isOptional: true } },
    },
  ],
  [
    'POST /api/sessions',
    {
      body: { code: 'made up' },
      fields: { code: { kind: 'code', max: 2048 }, state: { kind: 'text', isOptional: true } },
    },
  ],
]

const repeated = (name: string) => [`?${name}=a&${name}=b`, `?${name}[]=a`, `?${name}[$ne]=`]
const searchParameters = [
  'search',
  'category',
  'condition',
  'minPrice',
  'maxPrice',
  'format',
  'freeShipping',
  'location',
  'seller',
]
const badTexts = (name: string, max: number) => [`?${name}=%00`, `?${name}=${'a'.repeat(max + 1)}`]

const badFilters = [
  ...['bids', 'AUCTION', '%00'].map((value) => `?format=${value}`),
  ...['yes', 'false', '1', '%00'].map((value) => `?freeShipping=${value}`),
  ...['7', 'me', '%00'].map((value) => `?seller=${value}`),
  ...badTexts('location', 200),
]

/** The operations that succeed for an id that the marketplace does not know. */
const acceptingUnknownIds: ReadonlySet<Call> = new Set<Call>([
  'PUT /api/drafts/{id}',
  'DELETE /api/blocks/{id}',
  'GET /api/users/{id}/reply-time',
])

export function acceptsUnknownId(call: Call): boolean {
  return acceptingUnknownIds.has(call)
}

/** Every query parameter of every operation with its invalid values. */
export const queries: readonly (readonly [call: Call, queries: readonly string[]])[] = [
  [
    'GET /api/listings',
    [
      ...[...searchParameters, 'sort', 'limit', 'cursor'].flatMap(repeated),
      ...badTexts('search', 200),
      ...badTexts('category', 100),
      ...['minPrice', 'maxPrice'].flatMap((name) =>
        ['cheap', '-1', 'NaN', '1e3', '1.234', '10000000', 'Infinity', '%00', '５'].map((value) => `?${name}=${value}`),
      ),
      ...['0', '101', '-1', '1.5', 'many', '%00'].map((value) => `?limit=${value}`),
      ...['price;drop', '(select%201)', 'NEWEST', '%00'].map((value) => `?sort=${value}`),
      ...['mint', 'NEW', '%00'].map((value) => `?condition=${value}`),
      ...['x', '%00', `${unknownId},`, Array(21).fill(unknownId).join()].map((value) => `?ids=${value}`),
      ...badFilters,
      ...['nowhere', '%00', 'e30', 'W10', 'bnVsbA', 'a'.repeat(1001)].map((value) => `?cursor=${value}`),
    ],
  ],
  ['GET /api/listings/facets', [...searchParameters.flatMap(repeated), ...badTexts('search', 200), ...badFilters]],
  ['GET /api/search/recovery', [...searchParameters.flatMap(repeated), ...badTexts('search', 200), ...badFilters]],
  ['GET /api/search/suggestions', [...repeated('q'), ...badTexts('q', 200)]],
  ['PUT /api/drafts/{id}', [...repeated('based_on'), '?based_on=yesterday', '?based_on=2026-01-01', '?based_on=%00']],
  ['GET /api/search/history', [...repeated('session_id'), ...badTexts('session_id', 100)]],
]

/** Invalid ids in a path; some of them make the path itself invalid. */
export const badIds = [
  '1',
  'zz',
  '-1',
  '%00',
  '%20',
  '..%2f',
  'null',
  'undefined',
  `${unknownId}0`,
  `${unknownId}%20`,
  `{${unknownId}}`,
  '%F0%9F%95%B0',
  '%EF%BC%901890a5d-ac96-774b-bcce-b302099a8057',
  'x'.repeat(2000),
]
