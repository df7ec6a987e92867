import { parser } from '@prometheus-io/lezer-promql'

/** What an expression asks for; `faults` are the places that Prometheus' own grammar does not take. */
export interface Asked {
  metrics: string[]
  faults: string[]
}

/** Reads an expression with Prometheus' own grammar. Grafana's variables are none of its business. */
export function readPromql(expression: string): Asked {
  const metrics = new Set<string>()
  const faults: string[] = []
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) faults.push(`${expression}: wrong at ${from}: ${expression.slice(from, from + 20)}`)
      if (type.name === 'VectorSelector') {
        const [name = ''] = expression.slice(from, to).split(/[{\s[]/)
        metrics.add(name)
      }
    },
  })
  return { metrics: [...metrics], faults }
}
