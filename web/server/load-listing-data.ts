import { isId } from '@marketplace/kit/values/ids.ts'
import type { ListingDetail } from '../src/api/client/types.ts'
import { metaDescription, productData } from '../src/features/listing/details/product.ts'
import { picturesOf } from '../src/rules/pictures.ts'
import type { PageData } from './page-data.ts'
import { fetchPublic, type Upstreams } from './upstreams.ts'

const listingNotFound: PageData = {
  status: 404,
  head: {
    title: 'Listing not found | Marketplace',
    description: "This listing may have been removed or doesn't exist.",
    canonicalPath: null,
    type: 'website',
    images: [],
    mainPicture: null,
    structured: null,
  },
  initialData: null,
  canPrerender: false,
}

// Search engines may index the page of a listing until 90 days after the listing's end.
const indexedAfterEndMs = 90 * 24 * 3_600_000

/**
 * Loads the initial data of a listing page. Returns the data of a 404 page if the listing does not exist. Throws if the
 * catalog service fails or misses the deadline.
 */
export async function loadListingData(id: string, upstreams: Upstreams): Promise<PageData> {
  if (!isId(id)) return listingNotFound
  const at = new Date()
  const url = new URL(`/api/listings/${id.toLowerCase()}`, upstreams.CATALOG_URL)
  const response = await fetchPublic<ListingDetail>(url, AbortSignal.timeout(upstreams.PRERENDER_TIMEOUT_MS))
  if (response === null) return listingNotFound
  const { body: listing } = response
  const canonicalPath = `/listing/${listing.id}`
  return {
    status: 200,
    head: {
      title: `${listing.title} | Marketplace`,
      description: metaDescription(listing),
      canonicalPath,
      ...(isIndexed(listing, at) ? {} : { robots: 'noindex' as const }),
      type: 'product',
      images: listing.image_urls_parsed,
      mainPicture: picturesOf(listing)[0] ?? null,
      structured: productData(listing, upstreams.PUBLIC_ORIGIN + canonicalPath, at),
    },
    initialData: { at: at.toISOString(), listing },
    canPrerender: true,
  }
}

function isIndexed({ ended_at: endedAt }: ListingDetail, now: Date): boolean {
  return endedAt === null || now.getTime() - Date.parse(endedAt) <= indexedAfterEndMs
}
