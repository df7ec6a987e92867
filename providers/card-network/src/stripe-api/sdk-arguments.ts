import type { CallExpression, Expression, Node } from 'typescript/unstable/ast'
import {
  isArrayLiteralExpression,
  isComputedPropertyName,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { TypeFlags, type Project, type Symbol, type Type } from 'typescript/unstable/sync'

/** Returns the arguments of an SDK call that escape the compiler's check for unknown properties. */
export function checkArguments(project: Project, call: CallExpression): string[] {
  const { checker } = project
  const signature = checker.getResolvedSignature(call)
  return call.arguments.flatMap((argument, index) => {
    if (!isObject(project, argument)) return []
    const literal = toSatisfies(project, argument)
    if (!literal) return [`${argument.getText()} does not satisfy a type where it is written.`]
    const parameter = signature && checker.getParameterType(signature, index)
    const expected = parameter && checker.getNonNullableType(parameter)
    const given = checker.getTypeFromTypeNode(literal.type)
    if (given?.id !== expected?.id) return [`${literal.type.getText()} is not the type of this parameter.`]
    return checkValue(project, literal.expression)
  })
}

/** Returns this `satisfies` expression, or that of the constant with this name. */
function toSatisfies(project: Project, expression: Node) {
  if (isSatisfiesExpression(expression)) return expression
  const initializer = initializerOf(project, project.checker.getSymbolAtLocation(expression))
  return initializer && isSatisfiesExpression(initializer) ? initializer : undefined
}

function initializerOf(project: Project, symbol: Symbol | undefined): Expression | undefined {
  const declaration = symbol?.valueDeclaration?.resolve(project)
  return declaration && isVariableDeclaration(declaration) ? declaration.initializer : undefined
}

// The compiler checks for unknown properties only in literals: not in spread, named or computed ones.
function checkValue(project: Project, value: Node): string[] {
  if (!isObject(project, value)) return []
  if (isArrayLiteralExpression(value)) return value.elements.flatMap((element) => checkValue(project, element))
  if (isObjectLiteralExpression(value)) return value.properties.flatMap((property) => checkProperty(project, property))
  return toSatisfies(project, value) ? [] : [`${value.getText()} is an object from elsewhere.`]
}

function checkProperty(project: Project, property: Node): string[] {
  if (isPropertyAssignment(property))
    return isComputedPropertyName(property.name)
      ? [`${property.name.getText()} is computed.`]
      : checkValue(project, property.initializer)
  if (!isShorthandPropertyAssignment(property)) return [`${property.getText()} is no plain property.`]
  const symbol = project.checker.getShorthandAssignmentValueSymbol(property)
  if (!symbol || !isObjectType(project.checker.getTypeOfSymbol(symbol))) return []
  const initializer = initializerOf(project, symbol)
  const isChecked = initializer !== undefined && isSatisfiesExpression(initializer)
  return isChecked ? [] : [`${property.getText()} is an object from elsewhere.`]
}

function isObject(project: Project, node: Node): boolean {
  return isObjectType(project.checker.getTypeAtLocation(node))
}

function isObjectType(type: Type | undefined): boolean {
  if (!type) return true
  if (type.isUnionType()) return type.getTypes().some(isObjectType)
  return (type.flags & (TypeFlags.Object | TypeFlags.Intersection | TypeFlags.AnyOrUnknown)) !== 0
}
