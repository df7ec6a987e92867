import { useState } from 'react'
import { Outlet } from 'react-router-dom'
import { ChatWidget } from '../../chat/ChatWidget.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { useScrollRestoration } from './use-scroll-restoration.ts'
import classes from './PageLayout.module.css'

export function PageLayout() {
  const [isChatOpen, setIsChatOpen] = useState(false)
  useScrollRestoration()
  return (
    <div className={classes.layout}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <ConnectionNotice />
      <Header onHelp={() => setIsChatOpen(true)} />
      <main id="content" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
      <ChatWidget isOpen={isChatOpen} setIsOpen={setIsChatOpen} />
    </div>
  )
}
