import { useState } from 'react'
import { useAuth } from './use-auth.ts'

const prefix = 'draft:'

function stored(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    // Storage is switched off: the text lives as long as its form.
    return ''
  }
}

function keep(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // As above, or full.
  }
}

type Change = string | ((now: string) => string)

/** What someone types, kept in this tab until it is sent: who has to sign in again in the middle finds it as it was. */
export function useDraft(name: string): [string, (next: Change) => void] {
  const { user } = useAuth()
  const key = `${prefix}${user?.id}:${name}`
  const [text, setText] = useState(() => stored(key))
  const [owner, setOwner] = useState(key)
  // A form may show before it is known whose it is.
  if (owner !== key) {
    setOwner(key)
    setText((typed) => stored(key) || typed)
  }
  function change(next: Change) {
    const changed = typeof next === 'string' ? next : next(stored(key))
    setText(changed)
    keep(key, changed)
  }
  return [text, change]
}

export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept then.
  }
}
