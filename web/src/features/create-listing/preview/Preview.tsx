import { useQuery } from '@tanstack/react-query'
import { serverNow } from '../../../api/clock/server-clock.ts'
import { categoriesQuery } from '../../../api/queries/queries.ts'
import { ListingCard } from '../../../ui/listing/ListingCard.tsx'
import type { Draft } from '../draft.ts'
import { usePhotos } from '../uploads/photo-store.ts'
import { toPreview } from './preview.ts'
import classes from '../CreateListingPage.module.css'

/** A preview of the card that buyers will see. */
export function Preview({ draft }: { draft: Draft }) {
  const { data: categories } = useQuery(categoriesQuery)
  const photos = usePhotos()
  const category = categories?.find(({ id }) => String(id) === draft.categoryId)
  const [main] = draft.images
  const picture = main === undefined ? null : (photos.get(main.key)?.preview ?? main.url)
  return (
    <aside aria-label="Preview" className={classes.preview}>
      <p className={classes.previewLabel}>Preview</p>
      <div inert>
        <ListingCard listing={{ ...toPreview(draft, category?.name ?? '', new Date(serverNow())), picture }} />
      </div>
    </aside>
  )
}
