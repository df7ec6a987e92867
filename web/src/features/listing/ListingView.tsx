import { lazy, Suspense } from 'react'
import type { ListingDetail } from '../../api/types.ts'
import { useAuth } from '../../session/use-auth.ts'
import { usePageHead } from '../../ui/use-page-head.ts'
import { Assurances } from './Assurances.tsx'
import { BackLink } from './BackLink.tsx'
import { BidHistory } from './BidHistory.tsx'
import { BuyerActions } from './BuyerActions.tsx'
import { Facts } from './Facts.tsx'
import { Gallery } from './Gallery.tsx'
import { MessageSeller } from './MessageSeller.tsx'
import { PriceBlock } from './PriceBlock.tsx'
import { ProductData } from './ProductData.tsx'
import { metaDescription } from './product.ts'
import { Seller } from './Seller.tsx'
import { Summary } from './Summary.tsx'
import { TimeAnnouncer } from './TimeAnnouncer.tsx'
import classes from './ListingPage.module.css'

const ListingOffers = lazy(async () => ({ default: (await import('./ListingOffers.tsx')).ListingOffers }))

export function ListingView({ listing }: { listing: ListingDetail }) {
  const { user, isPending } = useAuth()
  const isOwner = user?.id === listing.user_id
  usePageHead(`${listing.title} | Marketplace`, metaDescription(listing))
  return (
    <article>
      <ProductData listing={listing} />
      <BackLink />
      <div className={classes.layout}>
        <div className={classes.gallery}>
          <Gallery title={listing.title} images={listing.image_urls_parsed} />
          {!isPending && !isOwner && <MessageSeller listing={listing} />}
        </div>
        <div className={classes.decision}>
          <Summary listing={listing} />
          <PriceBlock listing={listing} />
          {listing.is_auction && <TimeAnnouncer listing={listing} />}
          <BuyerActions listing={listing} isOwner={isOwner} />
          <Suspense>{user !== null && !listing.is_auction && <ListingOffers listing={listing} />}</Suspense>
          {listing.is_auction && <BidHistory listing={listing} />}
          <Seller name={listing.seller_name} />
          {listing.is_active && !isOwner && <Assurances />}
        </div>
        <Facts listing={listing} />
      </div>
    </article>
  )
}
