// Runs before the first paint of a page that the server drew.

// The Content-Security-Policy keeps style attributes out of HTML, so they come as data; a script may set styles.
for (const element of document.querySelectorAll<HTMLElement>('[data-style]')) {
  element.style.cssText = element.dataset['style'] ?? ''
}

// Mantine would set it when it starts.
const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light'

const mostPatienceMs = 1000

// The page's own scripts come once it shows, so that nothing of what it shows waits behind them; server/page-template.ts
// has renamed them. After the second look there are none left to fetch.
function fetchScripts(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="later-modulepreload"]')) {
    link.rel = 'modulepreload'
  }
  for (const later of document.querySelectorAll<HTMLScriptElement>('script[type="later-module"]')) {
    const script = document.createElement('script')
    script.type = 'module'
    script.crossOrigin = later.crossOrigin
    script.src = later.src
    later.replaceWith(script)
  }
}

new PerformanceObserver(fetchScripts).observe({ type: 'paint', buffered: true })
// A page that is not looked at may wait for ever to show.
window.setTimeout(fetchScripts, document.hidden ? 0 : mostPatienceMs)

// A button that is pressed or a form that is sent before there is anybody to hear it is so again then: the last one. Links lead
// on by themselves. App.tsx says when.
let again: (() => void) | undefined

function keepPress(event: MouseEvent): void {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (button?.type !== 'button') return
  event.stopImmediatePropagation()
  // A popover would open by itself, and close on the second press.
  event.preventDefault()
  again = () => button.click()
}

function keepForm(event: SubmitEvent): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  event.stopImmediatePropagation()
  event.preventDefault()
  again = () => form.requestSubmit()
}

document.addEventListener('click', keepPress, { capture: true })
document.addEventListener('submit', keepForm, { capture: true })
window.addEventListener(
  'taken-over',
  () => {
    document.removeEventListener('click', keepPress, { capture: true })
    document.removeEventListener('submit', keepForm, { capture: true })
    again?.()
  },
  { once: true },
)
