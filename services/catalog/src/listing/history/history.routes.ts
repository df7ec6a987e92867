import { expandPicture } from '@marketplace/contracts/pictures.ts'
import { conditions } from '@marketplace/contracts/listing.ts'
import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { cents, Cents } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { ListingRevisionRow } from '../../db.ts'
import { readPrices, readRevision, type PricePeriod } from './read-history.ts'

const PriceView = z
  .strictObject({ price: Cents, from: z.iso.datetime(), until: z.iso.datetime().nullable() })
  .meta({ id: 'ListingPrice' })

const RevisionView = z
  .strictObject({
    listing_id: z.uuidv7(),
    terms_version: z.int(),
    title: z.string(),
    description: z.string(),
    category_id: z.int(),
    condition: z.enum(conditions),
    price: Cents,
    shipping_cost: Cents,
    location: z.string(),
    image_urls: z.string(),
    image_urls_parsed: z.array(z.string()),
    at: z.iso.datetime(),
  })
  .meta({ id: 'ListingRevision' })

const params = z.object({ id: z.string() })
const revisionParams = z.object({
  id: z.string(),
  number: z.string().meta({ description: 'The terms_version of the revision', pattern: '^[0-9]{1,9}$' }),
})

export function historyRoutes(app: PublicApp, { db, settings }: Context): void {
  const prices = { params, response: routeResponses({ 200: z.array(PriceView) }, 404) }
  app.get(
    '/api/listings/:id/prices',
    { config: { open: true, ignoresSession: true }, schema: prices },
    async (request) => (await readPrices(db, request.params.id)).map(toPriceView),
  )

  const revision = { params: revisionParams, response: routeResponses({ 200: RevisionView }, 404) }
  app.get('/api/listings/:id/revisions/:number', { schema: revision }, async (request) => {
    const { id: listingId, number } = request.params
    const { userId } = callerOf(request)
    const revision = await readRevision(db, userId, { listingId, termsVersion: Number(number) })
    return toRevisionView(revision, settings.PICTURES_ORIGIN)
  })
}

function toPriceView({ price, from, until }: PricePeriod): z.output<typeof PriceView> {
  return { price, from: from.toISOString(), until: until?.toISOString() ?? null }
}

function toRevisionView(row: ListingRevisionRow, picturesOrigin: string | undefined): z.output<typeof RevisionView> {
  const { price_cents, shipping_cents, at, ...shown } = row
  const [price, shipping_cost] = [cents(price_cents), cents(shipping_cents)]
  const references = z.array(z.string()).parse(JSON.parse(row.image_urls))
  const image_urls_parsed = references.map((reference) => expandPicture(reference, picturesOrigin))
  const image_urls = JSON.stringify(image_urls_parsed)
  return { ...shown, price, shipping_cost, image_urls, image_urls_parsed, at: at.toISOString() }
}
