import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import { newestTransactionsQuery, transactionsQuery } from '../../api/queries/transactions.ts'
import { paymentMessages } from '../../payments/card-fields.ts'
import { ButtonLink } from '../../ui/controls/Button.tsx'
import { Skeleton } from '../../ui/controls/Skeleton.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListFooter } from '../../ui/page/ListFooter.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { TransactionRow } from './TransactionRow.tsx'
import { WaitingOffers } from './WaitingOffers.tsx'
import classes from './TransactionsPage.module.css'

function LoadingRows() {
  return (
    <div className={classes.loading}>
      <Skeleton />
      <Skeleton />
      <Skeleton />
    </div>
  )
}

function NoTransactions() {
  return (
    <EmptyState icon="receipt" heading={<h2>No transactions yet</h2>}>
      <p>Your purchases and sales will appear here.</p>
      <ButtonLink to="/">Browse listings</ButtonLink>
    </EmptyState>
  )
}

export function TransactionsPage() {
  usePageHead('Transactions | Marketplace')
  const list = useInfiniteQuery(transactionsQuery)
  useQuery({ ...newestTransactionsQuery, enabled: list.isSuccess })
  const isLoading = isFirstLoad(list)
  const transactions = list.data?.items ?? []
  const [paid, setPaid] = useState<string | null>(null)
  return (
    <>
      <PageHeading>Transactions</PageHeading>
      <Alert isFloating tone="good" message={paid} onDismiss={() => setPaid(null)} />
      <WaitingOffers />
      {isLoading && <LoadingRows />}
      {!isLoading && transactions.length === 0 && <NoTransactions />}
      <ul className={classes.rows}>
        {transactions.map((transaction) => (
          <li key={transaction.id}>
            <TransactionRow transaction={transaction} onPaid={(result) => setPaid(paymentMessages[result])} />
          </li>
        ))}
      </ul>
      <ListFooter list={list} />
    </>
  )
}
