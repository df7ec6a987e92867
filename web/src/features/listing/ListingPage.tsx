import { PageHeading } from '../../ui/PageHeading.tsx'
export function ListingPage() {
  return <PageHeading>ListingPage</PageHeading>
}
