import { eventually } from '@marketplace/testing/eventually.ts'
import { createHmac } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { findPhotographs } from '@marketplace/stack/demo/photographs.ts'
import { followToCallback, MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import type { CallOptions, Call, Walk } from './contract.ts'
import { payByCard, type Intent } from '../processes/people.ts'

interface Created {
  id: string
}

/** Makes a call and throws unless it succeeds. */
type Act = <Body = Created>(call: Call, options?: CallOptions) => Promise<Body>

export async function signInOnWalk(walk: Walk, base: string, email: string): Promise<string> {
  const start = await walk.call<{ redirectUrl: string }>('GET /api/oauth/{provider}/redirect_url', { id: 'google' })
  const callback = await followToCallback(start.body.redirectUrl, email, base)
  const options = { cookie: start.cookie, body: Object.fromEntries(callback.searchParams) }
  const { status, cookie } = await walk.call('POST /api/sessions', options)
  if (status !== 201) throw new Error(`Signing in responded ${status}.`)
  return cookie
}

/** The marketplace under test. */
export interface WalkTarget {
  url: string
  secrets: { stripeWebhook: string }
  /** URL of the typed pictures of listings. */
  pictureUrl?: string
}

/** Makes every operation succeed at least once, as users would. */
export async function walkAsUsers(walk: Walk, stack: WalkTarget): Promise<void> {
  const people = ['alice', 'bob', 'carol'].map((name) => signInOnWalk(walk, stack.url, `${name}@example.com`))
  const [seller = '', buyer = '', rival = ''] = await Promise.all(people)
  const act: Act = async (call, options) => {
    const { status, body } = await walk.call<never>(call, options)
    if (status >= 300) throw new Error(`${call} responded ${status}: ${JSON.stringify(body)}`)
    return body
  }
  const context = { walk, act, stack, seller, buyer, rival }
  await browse(context)
  const { lamp, watch } = await listItems(context)
  await bidAndWatch(context, watch)
  await offerAndTalk(context, lamp)
  await buyItems(context)
  await blockMember(context)
  await endSessions(context)
  await act('GET /api/logout', { cookie: rival })
}

async function blockMember({ act, seller, rival: cookie }: WalkContext): Promise<void> {
  const { id } = await act('GET /api/users/me', { cookie: seller })
  await act('GET /api/users/{id}/profile', { id })
  await act('GET /api/users/{id}/reply-time', { id })
  await act('POST /api/blocks', { cookie, body: { user_id: id } })
  await act('GET /api/blocks', { cookie })
  await act('DELETE /api/blocks/{id}', { cookie, id })
}

async function endSessions({ walk, act, stack, rival: cookie }: WalkContext): Promise<void> {
  await signInOnWalk(walk, stack.url, 'carol@example.com')
  const sessions = await act<{ id: string; is_current: boolean }[]>('GET /api/users/me/sessions', { cookie })
  await act('DELETE /api/users/me/sessions/{id}', { cookie, id: sessions.find((one) => !one.is_current)?.id ?? '' })
  await act('POST /api/users/me/sessions/end-others', { cookie })
}

interface WalkContext {
  walk: Walk
  act: Act
  stack: WalkTarget
  seller: string
  buyer: string
  rival: string
}

async function browse({ act, buyer: cookie }: WalkContext): Promise<void> {
  await act('GET /api/users/me', { cookie })
  await act('POST /api/users/notification-preferences', { cookie, body: { deals: true, offers: false } })
  await act('GET /api/users/notification-preferences', { cookie })
  await act('GET /api/categories')
  await act('POST /api/search/track', { cookie, body: { search_term: 'lamp', session_id: 'walk', result_count: 1 } })
  await act('GET /api/search/history', { cookie })
  await act('GET /api/search/trending')
  await act('GET /api/search/suggestions', { query: '?q=la' })
  await act('GET /api/search/recovery', { query: '?search=nowhere+lamp&condition=new' })
  await act('POST /api/chat', { body: { message: 'How do I pay?', conversation_history: [] } })
  await act('GET /api/stripe/config')
}

async function listItems(context: WalkContext) {
  const { walk, act, seller: cookie } = context
  const pictures = [{ id: await uploadPicture(context), alt: 'A photo' }]
  const { image_urls: _, ...withoutUrls } = fixedPrice('Walked lamp')
  const lamp = await act('POST /api/listings', { cookie, body: { ...withoutUrls, pictures } })
  const watch = await act('POST /api/listings', { cookie, body: auction('Walked watch') })
  await act('PATCH /api/listings/{id}', { cookie, id: lamp.id, body: { listing_version: 1, price: 18.5 } })
  await act('POST /api/listings/{id}/end', { cookie, id: lamp.id })
  await act('POST /api/listings/{id}/relist', { cookie, id: lamp.id, body: {} })
  await act('GET /api/listings/{id}/prices', { id: lamp.id })
  await act('GET /api/users/me/listings', { cookie })
  const draft = { cookie, id: '01890a5d-ac96-774b-bcce-b302099a80d7' }
  await act('PUT /api/drafts/{id}', { ...draft, body: { title: 'Half a lamp' } })
  await act('GET /api/drafts', { cookie })
  await act('DELETE /api/drafts/{id}', draft)
  await act('GET /api/listings/{id}', { id: lamp.id })
  await act('GET /api/listings', { query: '?search=walked&sort=price-asc&limit=1' })
  await act('GET /api/listings/facets', { query: '?search=walked&format=auction' })
  // 404 until the search index has the listing.
  await eventually(async () => (await walk.call('GET /api/listings/{id}/similar', { id: lamp.id })).status === 200)
  return { lamp, watch }
}

interface Announced extends Created {
  upload: { url: string; fields: Record<string, string> }
}

// Uploads two photographs, and deletes one. Returns the id of the other.
async function uploadPicture({ act, stack, seller: cookie }: WalkContext): Promise<string> {
  const [photograph] = findPhotographs()
  const file = await openAsBlob(photograph?.file ?? '', { type: 'image/jpeg' })
  const body = { content_type: file.type, byte_size: file.size }
  const unwanted = await act<Announced>('POST /api/pictures', { cookie, body })
  await act('DELETE /api/pictures/{id}', { cookie, id: unwanted.id })
  const { id, upload } = await act<Announced>('POST /api/pictures', { cookie, body })
  const form = new FormData()
  for (const [name, value] of Object.entries(upload.fields)) form.append(name, value)
  form.append('file', file)
  const { status } = await fetch(new URL(upload.url, stack.url), { method: 'POST', body: form })
  if (status !== 201) throw new Error(`The upload got ${status}.`)
  await act('POST /api/pictures/{id}/complete', { cookie, id })
  await act('GET /api/pictures/{id}', { cookie, id })
  return id
}

async function bidAndWatch({ walk, act, buyer: cookie }: WalkContext, { id }: Created): Promise<void> {
  await act('POST /api/bids', { cookie, body: { listing_id: id, amount: 12.5 } })
  await act('GET /api/auctions/{id}', { cookie, id })
  await act('GET /api/auctions/{id}/bids', { id })
  await act('GET /api/users/me/bids', { cookie })
  await walk.readStream('GET /api/auctions/{id}/stream', { id })
  await act('POST /api/watchlist', { cookie, body: { listing_id: id } })
  await act('GET /api/watchlist/check/{id}', { cookie, id })
  await act('GET /api/watchlist', { cookie })
  await act('DELETE /api/watchlist/{id}', { cookie, id })
}

async function offerAndTalk({ act, seller, buyer, rival }: WalkContext, lamp: Created): Promise<void> {
  const offer = (cookie: string) =>
    act('POST /api/offers', { cookie, body: { listing_id: lamp.id, amount: 10, message: 'Please?' } })
  const rejected = await offer(buyer)
  await act('POST /api/offers/{id}/reject', { cookie: seller, id: rejected.id })
  const withdrawn = await offer(buyer)
  await act('POST /api/offers/{id}/withdraw', { cookie: buyer, id: withdrawn.id })
  const countered = await offer(rival)
  const counter = await act('POST /api/offers/{id}/counter', { cookie: seller, id: countered.id, body: { amount: 15 } })
  await act('POST /api/offers/{id}/accept', { cookie: rival, id: counter.id })
  await act('GET /api/listings/{id}/revisions/{number}', { cookie: seller, id: lamp.id, number: '2' })
  await act('GET /api/offers', { cookie: seller })
  const body = { listing_id: lamp.id, message_text: 'Is it still there?' }
  const { id } = await act('POST /api/conversations', { cookie: buyer, body })
  await act('POST /api/messages', { cookie: seller, body: { conversation_id: id, message_text: 'It is.' } })
  await act('GET /api/conversations', { cookie: buyer })
  await act('GET /api/conversations/{id}', { cookie: buyer, id })
  await act('GET /api/conversations/{id}/messages', { cookie: buyer, id })
  await act('POST /api/conversations/{id}/mark-read', { cookie: buyer, id })
}

async function buyItems({ act, stack, seller, buyer: cookie }: WalkContext): Promise<void> {
  const picture = { image_urls: [stack.pictureUrl ?? 'https://pictures.example/1.jpg'] }
  const chair = await act('POST /api/listings', { cookie: seller, body: { ...fixedPrice('Walked chair'), ...picture } })
  const checkout = { cookie, body: { listing_id: chair.id, transaction_type: 'buy_now' } }
  const left = await act<Intent>('POST /api/payments/create-intent', checkout)
  await act('POST /api/payments/cancel', { cookie, body: { payment_intent_id: left.payment_intent_id } })
  const clock = await act('POST /api/listings', {
    cookie: seller,
    body: { ...auction('Walked clock', 30), ...picture },
  })
  const intent = await act<Intent>('POST /api/auctions/{id}/buy-now', { cookie, id: clock.id })
  await payByCard(new MarketplaceClient(stack.url), intent)
  await act('POST /api/payments/confirm', { cookie, body: { payment_intent_id: intent.payment_intent_id } })
  await act('GET /api/transactions', { cookie })
  await act('POST /api/stripe/webhook', signedWebhook(stack.secrets.stripeWebhook))
}

// An event of a type that payments does not handle.
function signedWebhook(secret: string): CallOptions {
  const body = JSON.stringify({ id: 'evt_walk', object: 'event', type: 'customer.created', data: { object: {} } })
  const seconds = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return { body, headers: { 'stripe-signature': `t=${seconds},v1=${signature}` } }
}

function fixedPrice(title: string) {
  return { title, price: 19.99, category_id: 1, shipping_cost: 4.5, image_urls: ['https://pictures.example/1.jpg'] }
}

function auction(title: string, buyItNow?: number) {
  const end = new Date(Date.now() + 3_600_000).toISOString()
  const price = { starting_bid: 10, ...(buyItNow !== undefined && { buy_it_now_price: buyItNow }) }
  return { title, category_id: 1, is_auction: true, auction_end_date: end, ...price }
}
