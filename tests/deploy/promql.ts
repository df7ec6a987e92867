import { parser } from '@prometheus-io/lezer-promql'

/** The metrics of an expression; `errors` are the parts that Prometheus' grammar rejects. */
export interface ParsedExpression {
  metrics: string[]
  errors: string[]
}

/** Parses an expression with Prometheus' grammar, which rejects Grafana's variables. */
export function readPromql(expression: string): ParsedExpression {
  const metrics = new Set<string>()
  const errors: string[] = []
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) errors.push(`${expression}: wrong at ${from}: ${expression.slice(from, from + 20)}`)
      if (type.name === 'VectorSelector') {
        const [name = ''] = expression.slice(from, to).split(/[{\s[]/)
        metrics.add(name)
      }
    },
  })
  return { metrics: [...metrics], errors }
}
