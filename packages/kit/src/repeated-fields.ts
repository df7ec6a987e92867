const tokens = /"(?:[^"\\]|\\.)*"|[{}:]/gs

/** The first name that an object of this valid JSON text carries twice: readers differ in which of the two counts. */
export function repeatedField(json: string): string | null {
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
