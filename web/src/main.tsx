import '@fontsource-variable/figtree/wght.css'
import './app/tokens.css'
import './app/base.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { App } from './app/App.tsx'
import { renderedAt, queryClient } from './app/query-client.ts'
import { prefetchPage } from './app/prefetch-page.ts'
import { prefetchUser } from './session/session.ts'
import { nextTask } from './api/client/next-task.ts'
import { isFreshDocument } from './api/hydration/fresh-document.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root')

prefetchUser()
prefetchPage(window.location)

// With BrowserRouter, the current page stays visible until the code of the next page has loaded.
const app = (
  <BrowserRouter>
    <App queryClient={queryClient} renderedAt={renderedAt ?? 0} />
  </BrowserRouter>
)

// Hydrates the prerendered HTML of a newly opened page with usable initial data; otherwise renders from scratch.
function start(container: HTMLElement) {
  if (container.hasChildNodes() && renderedAt !== null && isFreshDocument)
    startTransition(() => void hydrateRoot(container, app))
  else createRoot(container).render(app)
}

// Starts in a separate task to stay responsive, because evaluating the modules takes 50 ms on a phone.
void nextTask().then(() => start(root))

// Sets `--scrollbar-width`, which base.css uses as padding while a dialog hides the scrollbar.
function setScrollbarWidth() {
  const width = window.innerWidth - document.documentElement.clientWidth
  if (width > 0) document.documentElement.style.setProperty('--scrollbar-width', `${width}px`)
}

// Waits until the page has loaded, because measuring earlier would force an extra layout.
if (document.readyState === 'complete') window.setTimeout(setScrollbarWidth)
else window.addEventListener('load', setScrollbarWidth)
