import { PageHeading } from '../../ui/PageHeading.tsx'
export function CreateListingPage() {
  return <PageHeading>CreateListingPage</PageHeading>
}
