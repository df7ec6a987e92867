import type { ListingStatus } from '../../api/client/types.ts'
import { LinkTabs } from '../../ui/page/LinkTabs.tsx'

/** A tab of My Listings: the listings with one status, or the drafts, which are not listings yet. */
export type Tab = ListingStatus | 'drafts'

export const tabNames: Record<Tab, string> = {
  active: 'Active',
  reserved: 'Reserved',
  sold: 'Sold',
  ended: 'Ended',
  drafts: 'Drafts',
}

const tabs: readonly (Tab | null)[] = [null, 'active', 'reserved', 'sold', 'ended', 'drafts']

/** Returns the tab for a value of the URL parameter `status`, or null (all listings) for an unknown value. */
export function readTab(text: string | null): Tab | null {
  return tabs.find((tab) => tab === text) ?? null
}

/** The tabs of My Listings: one for all listings, one for each status and one for the drafts. */
export function StatusTabs({ current }: { current: Tab | null }) {
  const links = tabs.map((tab) => ({
    to: tab === null ? '/my-listings' : `/my-listings?status=${tab}`,
    text: tab === null ? 'All' : tabNames[tab],
    isCurrent: tab === current,
  }))
  return <LinkTabs label="Listings by status" tabs={links} />
}
