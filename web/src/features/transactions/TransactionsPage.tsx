import { PageHeading } from '../../ui/PageHeading.tsx'
export function TransactionsPage() {
  return <PageHeading>TransactionsPage</PageHeading>
}
