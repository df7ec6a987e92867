import { Button } from '@mantine/core'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'

/** A page that threw, or whose code did not arrive: after a release the old file names are gone, so a reload helps. */
export function PageFailed() {
  return (
    <EmptyState drawing="cloud" heading={<PageHeading>This page did not load</PageHeading>}>
      <p>Something went wrong on the way here. Loading it again usually helps.</p>
      <Button onClick={() => window.location.reload()}>Load again</Button>
    </EmptyState>
  )
}
