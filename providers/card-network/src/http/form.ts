import type { AcceptedParameters } from './parameters.ts'
import { invalidRequest, missingParam } from './problems.ts'

/** A form-encoded body. Nested names stay unparsed, as in `card[number]`. */
export type Form = ReadonlyMap<string, string>

export function parseForm(body: string): Form {
  return new Map(new URLSearchParams(body))
}

export function required(form: Form, name: string): string {
  const value = form.get(name)
  if (value === undefined || value === '') throw missingParam(name)
  return value
}

export function integer(form: Form, name: string): number {
  const text = required(form, name)
  if (!/^-?\d{1,15}$/.test(text)) throw invalidRequest(`Invalid integer: ${text}`, 'parameter_invalid_integer', name)
  return Number(text)
}

/** Returns the entries of `name[key]=value`; those of a list are keyed by position. */
export function entries(form: Form, name: string): Record<string, string> {
  const prefix = `${name}[`
  const nested = [...form].filter(([key]) => key.startsWith(prefix) && key.endsWith(']'))
  return Object.fromEntries(nested.map(([key, value]) => [key.slice(prefix.length, -1), value]))
}

// https://docs.stripe.com/changelog/endive/2026-09-30/removes-the-payment-method-types-parameter-from-payment-intents-and-setup-intents
const retired: Readonly<Record<string, string>> = {
  payment_method_types: 'payment_method_types_no_longer_supported',
}

/** Rejects unknown parameters like Stripe, so that a misspelled name is not ignored. */
export function rejectUnknown(form: Form, { names, fields = {} }: AcceptedParameters): void {
  for (const written of form.keys()) {
    const [name = '', ...keys] = written.replaceAll(']', '').split('[')
    const code = retired[name]
    if (code !== undefined) throw invalidRequest(`${name} is no longer supported.`, code, name)
    if (!names.includes(name)) throw unknownParameter(name)
    let parent = name
    for (const key of keys) {
      const child = `${parent}[${key}]`
      if (fields[parent]?.includes(key) === false) throw unknownParameter(child)
      parent = child
    }
  }
}

function unknownParameter(name: string): Error {
  return invalidRequest(`Received unknown parameter: ${name}`, 'parameter_unknown', name)
}
