/** A kind of element that a person looks for on a page. */
export type Kind = 'button' | 'link' | 'field' | 'heading'

/**
 * A person in a browser. The methods wait until the element exists, and cause the events of a real mouse and keyboard. A name
 * is the element's whole accessible name.
 */
export interface Visitor {
  open(path: string): Promise<void>
  press(kind: Kind, name: string): Promise<void>
  type(field: string, text: string): Promise<void>
  choose(field: string, option: string): Promise<void>
  /** Waits until the page shows the text. */
  see(text: string): Promise<void>
  /** Waits until the path of the page matches. */
  arrive(path: RegExp): Promise<void>
  close(): Promise<void>
}

/** Returns the first element of a kind with this name that can be seen. Runs in the page. */
export function findElement(kind: string, name: string): Element | null {
  const selectors: Record<string, string> = {
    button: 'button',
    link: 'a[href]',
    field: 'input, textarea, select',
    heading: 'h1, h2, h3',
  }
  const labelOf = (element: Element): string => {
    const label = element.id === '' ? null : document.querySelector(`label[for="${CSS.escape(element.id)}"]`)
    return (label ?? element.closest('label') ?? element).textContent
  }
  const nameOf = (element: Element): string =>
    (element.getAttribute('aria-label') ?? labelOf(element)).replace(/\s*\*$/, '').trim()
  const found = Array.from(document.querySelectorAll(selectors[kind] ?? kind)).filter(
    (element) => element.getClientRects().length > 0 && element.closest('[inert]') === null,
  )
  return found.find((element) => nameOf(element) === name) ?? null
}

/** Returns the option of a select with this label. Runs in the page. */
export function findOption(select: Element, label: string): Element | null {
  return Array.from(select.querySelectorAll('option')).find((option) => option.textContent === label) ?? null
}

/** Runs in the page. */
export const pageText = (): string => document.body.innerText
