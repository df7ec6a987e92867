import { parseSync, Visitor, type IdentifierName, type BindingIdentifier } from 'oxc-parser'

/** What one source file declares and says. */
export interface SourceText {
  declared: readonly string[]
  literals: readonly string[]
  /** Strings and comments, with white space and comment markers collapsed. */
  prose: string
}

/** Reads the declared names, string literals and prose of a TypeScript file. */
export function readSource(file: string, text: string): SourceText {
  const { program, comments } = parseSync(file, text)
  const declared: string[] = []
  const literals: string[] = []
  const declare = (node: unknown) => declared.push(...namesIn(node))
  new Visitor({
    VariableDeclarator: ({ id }) => declare(id),
    FunctionDeclaration: ({ id, params }) => [id, ...params].forEach(declare),
    FunctionExpression: ({ params }) => params.forEach(declare),
    ArrowFunctionExpression: ({ params }) => params.forEach(declare),
    ClassDeclaration: ({ id }) => declare(id),
    TSInterfaceDeclaration: ({ id }) => declare(id),
    TSTypeAliasDeclaration: ({ id }) => declare(id),
    TSPropertySignature: ({ key }) => declare(key),
    TSMethodSignature: ({ key }) => declare(key),
    PropertyDefinition: ({ key }) => declare(key),
    MethodDefinition: ({ key }) => declare(key),
    Property: ({ key, method, value }) => {
      if (method || value.type === 'ArrowFunctionExpression') declare(key)
    },
    Literal: ({ value }) => {
      if (typeof value === 'string') literals.push(value)
    },
    TemplateElement: ({ value }) => literals.push(value.cooked ?? ''),
    JSXText: ({ value }) => literals.push(value),
  }).visit(program)
  const commentText = comments.map(({ value }) => value).join('\n')
  return { declared, literals, prose: collapse([...literals, commentText].join('\n')) }
}

/** Collapses white space, and the asterisks and slashes that begin the lines of a comment. */
export function collapse(text: string): string {
  return text.replaceAll(/\n\s*(?:\*|\/\/|#)?\s*/g, ' ').replaceAll(/\s+/g, ' ')
}

function namesIn(node: unknown): string[] {
  if (isIdentifier(node)) return [node.name]
  if (typeof node !== 'object' || node === null || !('type' in node)) return []
  if (node.type === 'ObjectPattern' && 'properties' in node && Array.isArray(node.properties))
    return node.properties.flatMap((property: object) => namesIn('value' in property ? property.value : property))
  if (node.type === 'ArrayPattern' && 'elements' in node && Array.isArray(node.elements))
    return node.elements.flatMap(namesIn)
  if ('left' in node) return namesIn(node.left)
  if ('argument' in node) return namesIn(node.argument)
  return 'parameter' in node ? namesIn(node.parameter) : []
}

function isIdentifier(node: unknown): node is IdentifierName | BindingIdentifier {
  return typeof node === 'object' && node !== null && 'type' in node && node.type === 'Identifier'
}
