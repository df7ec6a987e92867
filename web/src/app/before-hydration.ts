// Runs before the first paint of a prerendered page.

// The Content-Security-Policy forbids style attributes in HTML, so the server sends styles as data attributes.
for (const element of document.querySelectorAll<HTMLElement>('[data-style]')) {
  element.style.cssText = element.dataset['style'] ?? ''
}

const maxPaintDelayMs = 1000

// Loads the scripts that server/page-template.ts has deferred; further calls have no effect.
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
// The timeout is needed, because a hidden page might never paint.
window.setTimeout(fetchScripts, document.hidden ? 0 : maxPaintDelayMs)

// Select changes and the last button click or form submission are stored here and repeated after hydration.
let replay: (() => void) | undefined
const changes = new Map<HTMLSelectElement, string>()

function deferChange(event: Event): void {
  const select = event.target
  if (!(select instanceof HTMLSelectElement)) return
  event.stopImmediatePropagation()
  changes.set(select, select.value)
}

function replayChange(select: HTMLSelectElement, value: string): void {
  // Sets the user's choice again, because hydration has reset the select to the value in the URL.
  select.value = value
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

function deferClick(event: MouseEvent): void {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (button?.type !== 'button') return
  event.stopImmediatePropagation()
  // Prevents this click from opening a popover, because the repeated click would close the popover.
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

document.addEventListener('change', deferChange, { capture: true })
document.addEventListener('click', deferClick, { capture: true })
document.addEventListener('submit', deferSubmit, { capture: true })
window.addEventListener(
  'hydrated',
  () => {
    document.removeEventListener('change', deferChange, { capture: true })
    document.removeEventListener('click', deferClick, { capture: true })
    document.removeEventListener('submit', deferSubmit, { capture: true })
    for (const [select, value] of changes) replayChange(select, value)
    replay?.()
  },
  { once: true },
)
