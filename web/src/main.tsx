import '@fontsource-variable/figtree/wght.css'
import './app/mantine.css'
import './app/tokens.css'
import './app/base.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { App } from './app/App.tsx'
import { drawnAt, queryClient } from './app/query-client.ts'
import { startPage } from './app/start-page.ts'
import { fetchUserEarly } from './session/session.ts'
import { isFreshDocument } from './ui/fresh-document.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

fetchUserEarly()
startPage(window.location)

// Navigations are transitions: the page before stays until the next one's code is there.
const app = (
  <BrowserRouter>
    <App queryClient={queryClient} drawnAt={drawnAt ?? 0} />
  </BrowserRouter>
)

// What was drawn from an answer that is not used, or for the top of a page that keeps its place, is drawn anew.
// A transition, so that it is done in slices between which the page answers.
if (root.hasChildNodes() && drawnAt !== null && isFreshDocument) startTransition(() => void hydrateRoot(root, app))
else createRoot(root).render(app)

// The place that base.css keeps free while a dialog hides the page's scrollbar; 0 where scrollbars float. Asked once all is
// drawn: before, it would have the page laid out twice.
function keepScrollbarWidth() {
  const width = window.innerWidth - document.documentElement.clientWidth
  if (width > 0) document.documentElement.style.setProperty('--scrollbar-width', `${width}px`)
}

if (document.readyState === 'complete') window.setTimeout(keepScrollbarWidth)
else window.addEventListener('load', keepScrollbarWidth)
