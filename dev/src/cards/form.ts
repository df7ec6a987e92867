import { invalidRequest, missingParam } from './problems.ts'

/** A form-encoded body as Stripe reads it; nested names stay as written, `card[number]`. */
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

/** The entries of `name[key]=value`. */
export function entries(form: Form, name: string): Record<string, string> {
  const prefix = `${name}[`
  const nested = [...form].filter(([key]) => key.startsWith(prefix) && key.endsWith(']'))
  return Object.fromEntries(nested.map(([key, value]) => [key.slice(prefix.length, -1), value]))
}

/** Stripe refuses what it does not know, so that a misspelt name is not silently dropped. */
export function refuseUnknown(form: Form, known: readonly string[]): void {
  const unknown = [...form.keys()].map((name) => name.split('[')[0] ?? '').find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw invalidRequest(`Received unknown parameter: ${unknown}`, 'parameter_unknown', unknown)
}
