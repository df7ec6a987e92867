const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gs

/**
 * Returns the first key that occurs twice in one object of a valid JSON text, or null. Such keys are ambiguous, because
 * some parsers use the first value and others use the last.
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

/** Returns whether the arrays and objects of a valid JSON text are nested in more than `maxDepth` levels. */
export function isDeeperThan(json: string, maxDepth: number): boolean {
  let depth = 0
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{' || token === '[') depth += 1
    if (token === '}' || token === ']') depth -= 1
    if (depth > maxDepth) return true
  }
  return false
}
