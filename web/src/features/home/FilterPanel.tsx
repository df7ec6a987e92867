import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { FilterForm } from './FilterForm.tsx'
import classes from './FilterPanel.module.css'

/** Beside the listings on a desk, in a sheet on a phone. */
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
    <Drawer
      opened
      onClose={onClose}
      title="Filters"
      position="bottom"
      size="auto"
      lockScroll={false}
      overlayProps={{ color: 'var(--shade)', backgroundOpacity: 1 }}
      closeButtonProps={{ 'aria-label': 'Close filters', size: 44 }}
      classNames={{ content: classes.sheet, header: classes.sheet, title: classes.title }}
    >
      <FilterForm onApplied={onClose} />
    </Drawer>
  )
}
