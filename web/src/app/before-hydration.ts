// Runs before the first paint of a prerendered page.

// The Content-Security-Policy forbids style attributes in HTML but allows scripts to set styles, so styles arrive as data attributes.
for (const element of document.querySelectorAll<HTMLElement>('[data-style]')) {
  element.style.cssText = element.dataset['style'] ?? ''
}

// Mantine sets this too late, after the first paint.
const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light'

const maxPaintDelayMs = 1000

// The page's scripts, renamed by server/page-template.ts, load only after the first paint, so that they do not delay it. A second
// call finds none left.
function fetchScripts(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="deferred-modulepreload"]')) {
    link.rel = 'modulepreload'
  }
  for (const deferred of document.querySelectorAll<HTMLScriptElement>('script[type="deferred-module"]')) {
    const script = document.createElement('script')
    script.type = 'module'
    script.crossOrigin = deferred.crossOrigin
    script.src = deferred.src
    deferred.replaceWith(script)
  }
}

new PerformanceObserver(fetchScripts).observe({ type: 'paint', buffered: true })
// A hidden page may never paint.
window.setTimeout(fetchScripts, document.hidden ? 0 : maxPaintDelayMs)

// Before hydration no event handlers exist. The last click on a button or submit of a form is replayed when App.tsx dispatches
// `hydrated`. Links work without JavaScript.
let replay: (() => void) | undefined

function deferClick(event: MouseEvent): void {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (button?.type !== 'button') return
  event.stopImmediatePropagation()
  // A popover would open natively now and close again on the replayed click.
  event.preventDefault()
  replay = () => button.click()
}

function deferSubmit(event: SubmitEvent): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  event.stopImmediatePropagation()
  event.preventDefault()
  replay = () => form.requestSubmit()
}

document.addEventListener('click', deferClick, { capture: true })
document.addEventListener('submit', deferSubmit, { capture: true })
window.addEventListener(
  'hydrated',
  () => {
    document.removeEventListener('click', deferClick, { capture: true })
    document.removeEventListener('submit', deferSubmit, { capture: true })
    replay?.()
  },
  { once: true },
)
