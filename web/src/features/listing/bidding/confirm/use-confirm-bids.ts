import { useSyncExternalStore } from 'react'

const storageKey = 'confirm-bids'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

// Holds the choice until the page is closed. Used only if storage is disabled.
let chosen = false

function read(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'true'
  } catch {
    return chosen
  }
}

function change(isOn: boolean): void {
  chosen = isOn
  try {
    if (isOn) localStorage.setItem(storageKey, 'true')
    else localStorage.removeItem(storageKey)
  } catch {
    // Storage is disabled.
  }
  for (const listener of listeners) listener()
}

/**
 * Returns whether the user wants to confirm each bid, and a function that changes this choice. The choice is stored in
 * the browser.
 */
export function useConfirmBids(): [boolean, (isOn: boolean) => void] {
  return [useSyncExternalStore(subscribe, read, () => false), change]
}
