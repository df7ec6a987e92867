import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { SearchBox } from '../../search/SearchBox.tsx'
import { Logo } from './Logo.tsx'
import { MemberNav } from './MemberNav.tsx'
import { MobileMenu } from './MobileMenu.tsx'
import { NotificationBell } from './NotificationBell.tsx'
import classes from './Header.module.css'

function HeaderSearch() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const term = pathname === '/' ? (params.get('search') ?? '') : ''
  return (
    <SearchBox
      key={term}
      label="Search the marketplace"
      initialTerm={term}
      onSearch={(query) => void navigate(`/?${new URLSearchParams({ search: query })}`)}
    />
  )
}

export function Header({ onHelp }: { onHelp: () => void }) {
  return (
    <header className={classes.header}>
      <div className={classes.bar}>
        <Logo />
        <div className={classes.search}>
          <HeaderSearch />
        </div>
        <div className={classes.tools}>
          <div className={classes.wide}>
            <MemberNav />
          </div>
          <NotificationBell />
          <div className={classes.narrow}>
            <MobileMenu onHelp={onHelp} />
          </div>
        </div>
      </div>
    </header>
  )
}
