import type { CallExpression, Node, SourceFile } from 'typescript/unstable/ast'
import { isCallExpression, isPropertyAccessExpression } from 'typescript/unstable/ast/is'
import type { Project } from 'typescript/unstable/sync'
import { checkArguments } from './sdk-arguments.ts'

/** Returns the requests to Stripe whose parameters have no `satisfies` with the SDK's type. */
export function findUncheckedRequests(project: Project): string[] {
  const files = project.program.getSourceFileNames().filter((name) => !name.includes('/node_modules/'))
  return files.flatMap((name) => {
    const file = project.program.getSourceFile(name)
    // Loading syntax trees takes most of the time. A file without that word calls no SDK.
    if (!file || !/stripe/i.test(file.text)) return []
    return sdkCalls(project, file).flatMap((call) => {
      const line = file.getLineAndCharacterOfPosition(call.getStart(file)).line + 1
      return checkCall(project, call).map((problem) => `${name}:${line} ${problem}`)
    })
  })
}

function sdkCalls(project: Project, file: SourceFile): CallExpression[] {
  const calls: { call: CallExpression; name: Node }[] = []
  const visit = (node: Node): void => {
    if (isCallExpression(node) && isPropertyAccessExpression(node.expression))
      calls.push({ call: node, name: node.expression.name })
    node.forEachChild(visit)
  }
  visit(file)
  const symbols = project.checker.getSymbolAtLocation(calls.map(({ name }) => name))
  return calls.flatMap(({ call }, index) => {
    const declarations = symbols[index]?.declarations ?? []
    return declarations.some(({ path }) => isOfSdk(path)) ? [call] : []
  })
}

// The SDK's resources send requests; its webhooks and errors do not.
function isOfSdk(path: string): boolean {
  return path.includes('/node_modules/stripe/') && /\/(resources\/.*|stripe\.[\w.]+)\.d\.ts$/.test(path)
}

function checkCall(project: Project, call: CallExpression): string[] {
  const callee = call.expression.getText()
  if (callee.endsWith('.rawRequest')) return [`${callee} takes what no type describes.`]
  return checkArguments(project, call).map((problem) => `${callee}: ${problem}`)
}
