import type { Form } from '../http/form.ts'

type Parameter = string | Parameter[] | { [name: string]: Parameter }
type Node = Map<string, string | Node>

/** Returns the parameters of a form as an object: `a[b]=1` is a field of `a`, `a[0]=1` an element. */
export function toParameters(form: Form): Parameter {
  const root: Node = new Map()
  for (const [written, value] of form) {
    const keys = written.replaceAll(']', '').split('[')
    const last = keys.pop() ?? ''
    keys.reduce(childOf, root).set(last, value)
  }
  return toParameter(root)
}

function childOf(parent: Node, key: string): Node {
  const known = parent.get(key)
  if (known instanceof Map) return known
  const child: Node = new Map()
  parent.set(key, child)
  return child
}

function toParameter(node: string | Node): Parameter {
  if (typeof node === 'string') return node
  const isList = node.size > 0 && [...node.keys()].every((key, place) => key === String(place))
  if (isList) return [...node.values()].map(toParameter)
  return Object.fromEntries([...node].map(([name, child]) => [name, toParameter(child)]))
}
