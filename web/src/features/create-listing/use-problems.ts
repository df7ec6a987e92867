import { useState } from 'react'
import { serverNow } from '../../api/clock/server-clock.ts'
import { afterPress } from '../../ui/inputs/after-press.ts'
import type { Draft } from './draft.ts'
import { validateDraft, type Problems } from './validate-draft.ts'

interface Validation {
  /** Error messages by field name. Contains only fields that have been validated. */
  problems: Problems
  /** Validates fields now and on every later change. */
  validate: (names: string[]) => void
  /** Removes a field's error message until the field is validated again. */
  reset: (name: string) => void
  /** Validates a field that lost the focus. */
  validateOnBlur: (name: string) => void
}

/** Validates a field when it first loses the focus or the form is submitted, and from then on at every change. */
export function useProblems(draft: Draft): Validation {
  const [validated, setValidated] = useState<ReadonlySet<string>>(new Set())
  const found = Object.entries(validateDraft(draft, new Date(serverNow())))
  const validate = (names: string[]) => setValidated((before) => new Set([...before, ...names]))
  return {
    problems: Object.fromEntries(found.filter(([name]) => validated.has(name))),
    validate,
    reset: (name) => setValidated((before) => new Set([...before].filter((other) => other !== name))),
    validateOnBlur: (name) => afterPress(() => validate([name])),
  }
}
