import { PageHeading } from '../../ui/PageHeading.tsx'
export function MessagesPage() {
  return <PageHeading>MessagesPage</PageHeading>
}
