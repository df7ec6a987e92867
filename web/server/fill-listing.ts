import { isId } from '@marketplace/kit/ids.ts'
import type { ListingDetail } from '../src/api/types.ts'
import { metaDescription, productData } from '../src/features/listing/product.ts'
import type { Filling } from './filling.ts'
import { readPublic, type Neighbours } from './neighbours.ts'

const unknownListing: Filling = {
  status: 404,
  head: {
    title: 'Listing not found | Marketplace',
    description: "This listing may have been removed or doesn't exist.",
    canonicalPath: null,
    type: 'website',
    images: [],
    structured: null,
  },
  answer: null,
  isDrawn: false,
}

/** Throws when catalog gives no answer in time. */
export async function fillListing(id: string, neighbours: Neighbours): Promise<Filling> {
  if (!isId(id)) return unknownListing
  const at = new Date()
  const url = new URL(`/api/listings/${id.toLowerCase()}`, neighbours.CATALOG_URL)
  const answer = await readPublic<ListingDetail>(url, AbortSignal.timeout(neighbours.FILL_TIMEOUT_MS))
  if (answer === null) return unknownListing
  const { body: listing } = answer
  const canonicalPath = `/listing/${listing.id}`
  return {
    status: 200,
    head: {
      title: `${listing.title} | Marketplace`,
      description: metaDescription(listing),
      canonicalPath,
      type: 'product',
      images: listing.image_urls_parsed,
      structured: productData(listing, neighbours.PUBLIC_ORIGIN + canonicalPath, at),
    },
    answer: { at: at.toISOString(), listing },
    isDrawn: true,
  }
}
