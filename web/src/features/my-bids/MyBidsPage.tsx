import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { myBidsQuery, type OwnBidsState } from '../../api/queries/bids.ts'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import { ButtonLink } from '../../ui/controls/Button.tsx'
import { Skeleton } from '../../ui/controls/Skeleton.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { LinkTabs } from '../../ui/page/LinkTabs.tsx'
import { ListFooter } from '../../ui/page/ListFooter.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { BidRow } from './BidRow.tsx'
import classes from './MyBidsPage.module.css'

const tabs = {
  active: { text: 'Active', empty: 'No active bids', hint: 'Auctions in which you have bid will appear here.' },
  won: { text: 'Won', empty: 'No auctions won yet', hint: 'Auctions that you win will appear here.' },
  lost: { text: 'Lost', empty: 'No auctions lost', hint: 'Auctions that another bidder wins will appear here.' },
} satisfies Record<OwnBidsState, unknown>

const states = ['active', 'won', 'lost'] as const

function LoadingRows() {
  return (
    <div className={classes.loading}>
      <Skeleton />
      <Skeleton />
      <Skeleton />
    </div>
  )
}

function NoBids({ state }: { state: OwnBidsState }) {
  return (
    <EmptyState icon="box" heading={<h2>{tabs[state].empty}</h2>}>
      <p>{tabs[state].hint}</p>
      <ButtonLink to="/">Browse listings</ButtonLink>
    </EmptyState>
  )
}

function Bids({ state }: { state: OwnBidsState }) {
  const list = useInfiniteQuery(myBidsQuery(state))
  if (isFirstLoad(list)) return <LoadingRows />
  const bidsByAuction = list.data?.items ?? []
  return (
    <>
      {bidsByAuction.length === 0 && <NoBids state={state} />}
      <ul className={classes.rows}>
        {bidsByAuction.map((bids) => (
          <li key={bids.id}>
            <BidRow bids={bids} />
          </li>
        ))}
      </ul>
      <ListFooter list={list} />
    </>
  )
}

export function MyBidsPage() {
  usePageHead('My Bids | Marketplace')
  const [params] = useSearchParams()
  const state = states.find((candidate) => candidate === params.get('state')) ?? 'active'
  return (
    <>
      <PageHeading>My Bids</PageHeading>
      <LinkTabs
        label="Bids"
        tabs={states.map((tab) => ({
          to: tab === 'active' ? '/my-bids' : `/my-bids?state=${tab}`,
          text: tabs[tab].text,
          isCurrent: tab === state,
        }))}
      />
      <Bids key={state} state={state} />
    </>
  )
}
