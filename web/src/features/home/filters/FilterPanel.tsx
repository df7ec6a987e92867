import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { FilterForm } from './FilterForm.tsx'
import classes from './FilterPanel.module.css'

const Sheet = lazy(async () => ({ default: (await import('../../../ui/feedback/Sheet.tsx')).Sheet }))

/** The filters, next to the listings on a wide screen and in a sheet on a phone. */
export function FilterPanel({ onClose }: { onClose: () => void }) {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  if (!isPhone) {
    return (
      <aside aria-label="Filters" className={classes.beside}>
        <FilterForm />
      </aside>
    )
  }
  return (
    <Suspense>
      <Sheet opened onClose={onClose} title="Filters" from="bottom">
        <FilterForm onApplied={onClose} />
      </Sheet>
    </Suspense>
  )
}
