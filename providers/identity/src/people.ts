export interface Person {
  readonly email: string
  readonly name: string
}

/** The users of the account picker, who own the demo data. */
export const demoUsers: readonly Person[] = [
  { email: 'alice@example.com', name: 'Alice Martin' },
  { email: 'bob@example.com', name: 'Bob Keller' },
  { email: 'carol@example.com', name: 'Carol Diaz' },
]

const emailPattern = /^[^\s@<>"']{1,64}@[^\s@<>"']{1,120}$/

/** Returns the normalized address, or undefined when it is invalid. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return emailPattern.test(email) ? email : undefined
}

export function nameOf(email: string): string {
  return demoUsers.find((person) => person.email === email)?.name ?? nameFromAddress(email)
}

/** Derived from the address alone, so that it is the same on every machine and after every restart. */
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
