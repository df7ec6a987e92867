import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import { useSearchParams } from 'react-router-dom'
import { ActionIcon } from '../controls/ActionIcon.tsx'
import classes from './ViewToggle.module.css'

export type Layout = 'grid' | 'list'

/** Returns the layout of a listing grid and a function to change it. The layout is stored in the URL. */
export function useLayout(): [Layout, (layout: Layout) => void] {
  const [params, setParams] = useSearchParams()
  function change(layout: Layout) {
    const next = new URLSearchParams(params)
    if (layout === 'list') next.set('view', 'list')
    else next.delete('view')
    setParams(next, { preventScrollReset: true, replace: true })
  }
  return [params.get('view') === 'list' ? 'list' : 'grid', change]
}

export function ViewToggle() {
  const [layout, change] = useLayout()
  return (
    <fieldset aria-label="View" className={classes.views}>
      <ActionIcon aria-label="Grid view" aria-pressed={layout === 'grid'} onClick={() => change('grid')}>
        <IconLayoutGrid size={20} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon aria-label="List view" aria-pressed={layout === 'list'} onClick={() => change('list')}>
        <IconList size={20} aria-hidden="true" />
      </ActionIcon>
    </fieldset>
  )
}
