import { lazy, Suspense, useEffect } from 'react'
import type { ListingDetail } from '../../api/client/types.ts'
import { picturesOf } from '../../rules/pictures.ts'
import { useAuth } from '../../session/use-auth.ts'
import { storeViewedId } from '../../session/recently-viewed.ts'
import { useIsNear } from '../../ui/hooks/use-is-near.ts'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { Assurances } from './purchase/Assurances.tsx'
import { BackLink } from './BackLink.tsx'
import { BidHistory } from './bidding/BidHistory.tsx'
import { BuyerActions } from './purchase/BuyerActions.tsx'
import { Facts } from './details/Facts.tsx'
import { Gallery } from './gallery/Gallery.tsx'
import { MessageSeller } from './contact/MessageSeller.tsx'
import { PriceBlock } from './details/PriceBlock.tsx'
import { ProductData } from './details/ProductData.tsx'
import { metaDescription } from './details/product.ts'
import { Seller } from './contact/Seller.tsx'
import { Summary } from './details/Summary.tsx'
import { TimeAnnouncer } from './bidding/TimeAnnouncer.tsx'
import classes from './ListingPage.module.css'

const ListingOffers = lazy(async () => ({ default: (await import('./purchase/ListingOffers.tsx')).ListingOffers }))

const RelatedToListing = lazy(async () => ({
  default: (await import('../../related/RelatedToListing.tsx')).RelatedToListing,
}))

export function ListingView({ listing }: { listing: ListingDetail }) {
  const { user, isPending } = useAuth()
  const isOwner = user?.id === listing.user_id
  const [end, isNearEnd] = useIsNear()
  useEffect(() => storeViewedId(listing.id), [listing.id])
  usePageHead(`${listing.title} | Marketplace`, metaDescription(listing))
  return (
    <>
      <article>
        <ProductData listing={listing} />
        <BackLink />
        <div className={classes.layout}>
          <div className={classes.gallery}>
            <Gallery title={listing.title} images={picturesOf(listing)} />
            {!isPending && !isOwner && <MessageSeller listing={listing} />}
          </div>
          <div className={classes.decision}>
            <Summary listing={listing} />
            <PriceBlock listing={listing} />
            {listing.is_auction && <TimeAnnouncer listing={listing} />}
            <BuyerActions listing={listing} isOwner={isOwner} />
            <Suspense>{user !== null && !listing.is_auction && <ListingOffers listing={listing} />}</Suspense>
            {listing.is_auction && <BidHistory listing={listing} />}
            <Seller id={listing.user_id} name={listing.seller_name} />
            {listing.is_active && !isOwner && <Assurances />}
          </div>
          <Facts listing={listing} />
        </div>
      </article>
      <div ref={end}>
        {isNearEnd && (
          <Suspense>
            <RelatedToListing listing={listing} />
          </Suspense>
        )}
      </div>
    </>
  )
}
