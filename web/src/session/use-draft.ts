import { useEffect, useState } from 'react'
import { clearSavedPhotos } from './clear-saved-photos.ts'
import { useAuth } from './use-auth.ts'

const prefix = 'draft:'

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    // Storage is disabled, so the text is lost when the form is closed.
    return ''
  }
}

function save(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // Storage is disabled or full.
  }
}

type Listener = (key: string, text: string) => void

/** The mounted text fields with a draft. */
const listeners = new Set<Listener>()

type Change = string | ((current: string) => string)

/**
 * State of a text field, stored for this user and tab until the text is sent, so that the text survives a new sign-in.
 * A change is stored even after the field was closed, and is shown if the field was opened again.
 */
export function useDraft(name: string): [string, (next: Change) => void] {
  const { user } = useAuth()
  const key = `${prefix}${user?.id}:${name}`
  const [text, setText] = useState(() => read(key))
  const [loadedKey, setLoadedKey] = useState(key)
  // When the user's id becomes known, loads the text that is stored for this user.
  if (loadedKey !== key) {
    setLoadedKey(key)
    setText((typed) => read(key) || typed)
  }
  useEffect(() => {
    const listener: Listener = (changedKey, changed) => changedKey === key && setText(changed)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [key])
  function change(next: Change) {
    const changed = typeof next === 'string' ? next : next(read(key))
    save(key, changed)
    for (const listener of listeners) listener(key, changed)
  }
  return [text, change]
}

export function clearDrafts(): void {
  clearSavedPhotos()
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  } catch {
    // Storage is disabled, so there are no drafts.
  }
}
