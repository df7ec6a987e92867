import { PageHeading } from '../../ui/PageHeading.tsx'
export function MyListingsPage() {
  return <PageHeading>MyListingsPage</PageHeading>
}
