import { Outlet } from 'react-router-dom'
import { ChatWidget } from '../../chat/ChatWidget.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { useScrollPlace } from './use-scroll-place.ts'
import classes from './Shell.module.css'

export function Shell() {
  useScrollPlace()
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <OfflineBanner />
      <Header />
      <main id="content" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
      <ChatWidget />
    </div>
  )
}
