import { isId } from '@marketplace/kit/values/ids.ts'

export const providerPattern = /^[a-z][a-z0-9-]{0,31}$/

const lettersAndDigits = /^[\w-]{1,128}$/

/**
 * Formats of the parameters in path templates. Each function returns the value to forward, or null if the value does
 * not have the format.
 */
const kinds: Readonly<Record<string, (value: string) => string | null>> = {
  '{id}': (value) => (isId(value) ? value.toLowerCase() : null),
  '{number}': matching(/^(?:0|[1-9]\d{0,8})$/),
  '{month}': matching(/^\d{4}-(?:0[1-9]|1[0-2])$/),
  '{token}': matching(/^[\w.-]{1,512}$/),
  '{slug}': matching(/^[a-z0-9]+(?:-[a-z0-9]+){0,49}$/),
  '{key}': matching(lettersAndDigits),
  '{picture}': matching(/^[\w-]{1,64}\.[a-z0-9]{1,8}$/),
  '{file}': matching(/^[a-z][a-z-]{0,31}\.(?:css|js)$/),
  '{provider}': matching(providerPattern),
}

/** Throws if a path template has a parameter for which no format is defined. */
export function requireKnownParameters(template: string): void {
  const unknown = template.split('/').filter((part) => part.startsWith('{') && !(part in kinds))
  if (unknown.length > 0) throw new Error(`${template} has parameters of an unknown kind: ${unknown.join(', ')}.`)
}

/**
 * Checks one segment of a request path against the corresponding part of a path template. Returns the segment to
 * forward, or null if it does not match.
 */
export function rebuildSegment(part: string, segment: string): string | null {
  if (!part.startsWith('{')) return part === segment ? part : null
  return kinds[part]?.(segment) ?? null
}

function matching(pattern: RegExp) {
  return (value: string) => (pattern.test(value) ? value : null)
}
