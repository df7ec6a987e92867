import { Link } from 'react-router-dom'
import { useLinkInView } from '../hooks/use-link-in-view.ts'
import classes from './LinkTabs.module.css'

interface Tab {
  to: string
  text: string
  isCurrent: boolean
}

/** Links between the parts of a page. Each part has its own URL. */
export function LinkTabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const row = useLinkInView(tabs.findIndex(({ isCurrent }) => isCurrent))
  return (
    <nav ref={row} aria-label={label} className={classes.tabs}>
      {tabs.map(({ to, text, isCurrent }) => (
        <Link key={to} to={to} className={classes.tab} aria-current={isCurrent ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
