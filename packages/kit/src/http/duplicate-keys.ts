const tokens = /"(?:[^"\\]|\\.)*"|[{}:]/gs

/**
 * Returns the first duplicate key of any object in valid JSON text, or null. Duplicate keys are ambiguous, because some
 * parsers use the first value and others use the last.
 */
export function findDuplicateKey(json: string): string | null {
  const objects: Set<string>[] = []
  let text = ''
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{') objects.push(new Set())
    else if (token === '}') objects.pop()
    else if (token !== ':') text = token
    else {
      const name: string = JSON.parse(text)
      const names = objects.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
    }
  }
  return null
}
