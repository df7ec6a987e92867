const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const namesTime = /(?:_at|_date|_time|_by|^timestamp)$/
const looksLikeTime = /^\d{4}-\d\d-\d\d[T ]/

/** Throws unless every time in a response, found by its field name or its value, is ISO 8601 in UTC. */
export function expectTimesInUtc(call: string, value: unknown, name = ''): void {
  if (Array.isArray(value)) for (const one of value) expectTimesInUtc(call, one, name)
  else if (typeof value === 'object' && value !== null)
    for (const [field, one] of Object.entries(value)) expectTimesInUtc(call, one, field)
  else if (isTime(name, value) && !utc.test(String(value)))
    throw new Error(`${call} returns ${name} as ${JSON.stringify(value)}, which is not ISO 8601 in UTC.`)
}

function isTime(name: string, value: unknown): boolean {
  if (value === null || name === 'made_by') return false
  return namesTime.test(name) || (typeof value === 'string' && looksLikeTime.test(value))
}
