import type { ListingDetail } from '../../../api/client/types.ts'
import { StructuredData } from '../../../ui/page/StructuredData.tsx'
import { productData } from './product.ts'

export function ProductData({ listing }: { listing: ListingDetail }) {
  return <StructuredData of={() => productData(listing, window.location.href, new Date())} />
}
