export type Person = { readonly email: string; readonly name: string }

/** Offered by the account picker; the demo data is theirs. */
export const DEMO_PEOPLE: readonly Person[] = [
  { email: 'alice@example.com', name: 'Alice Martin' },
  { email: 'bob@example.com', name: 'Bob Keller' },
  { email: 'carol@example.com', name: 'Carol Diaz' },
]

const EMAIL = /^[^\s@<>"']{1,64}@[^\s@<>"']{1,120}$/

/** The address as accounts are keyed by it, or undefined when it is none. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return EMAIL.test(email) ? email : undefined
}

export function nameOf(email: string): string {
  return DEMO_PEOPLE.find((person) => person.email === email)?.name ?? nameFromAddress(email)
}

/** Derived from the address alone, so that it stays the same on every machine and after every restart. */
export function subjectOf(email: string): string {
  return Buffer.from(email).toString('base64url')
}

export function emailOf(subject: string): string | undefined {
  return readEmail(Buffer.from(subject, 'base64url').toString())
}

function nameFromAddress(email: string): string {
  const words =
    (email.split('@')[0] ?? '')
      .split('+')[0]
      ?.split(/[._-]+/)
      .filter(Boolean) ?? []
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || email
}
