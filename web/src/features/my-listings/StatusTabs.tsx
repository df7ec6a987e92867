import type { ListingStatus } from '../../api/client/types.ts'
import { LinkTabs } from '../../ui/page/LinkTabs.tsx'

/** A status of listings, or the drafts, which are not listings yet. */
export type Tab = ListingStatus | 'drafts'

export const tabNames: Record<Tab, string> = {
  active: 'Active',
  reserved: 'Reserved',
  sold: 'Sold',
  ended: 'Ended',
  drafts: 'Drafts',
}

const tabs: readonly (Tab | null)[] = [null, 'active', 'reserved', 'sold', 'ended', 'drafts']

/** Returns the tab of the URL; null for all listings. */
export function readTab(text: string | null): Tab | null {
  return tabs.find((tab) => tab === text) ?? null
}

/** Links to the user's listings of each status and to the drafts. */
export function StatusTabs({ current }: { current: Tab | null }) {
  const links = tabs.map((tab) => ({
    to: tab === null ? '/my-listings' : `/my-listings?status=${tab}`,
    text: tab === null ? 'All' : tabNames[tab],
    isCurrent: tab === current,
  }))
  return <LinkTabs label="Listings by status" tabs={links} />
}
