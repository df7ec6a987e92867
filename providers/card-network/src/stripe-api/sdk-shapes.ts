import { SymbolFlags, type Project, type Type } from 'typescript/unstable/sync'
import { openTypesOf } from './types.ts'
import { nameOf, usedCalls, usedSchemas } from './used-parts.ts'

/** The SDK's parameters or fields of each used call and schema, each with its literal values. */
export type SdkShapes = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

const typeNames = [
  ...usedCalls.map((call) => [nameOf(call), call.type] as const),
  ...Object.entries(usedSchemas).flatMap(([name, type]) => (type === null ? [] : [[name, type] as const])),
]

export function readSdkShapes(): SdkShapes {
  const fields = typeNames.map(([name, type]) => `${JSON.stringify(name)}: Stripe.${type}`)
  const types = openTypesOf(`import type { Stripe } from 'stripe'\nexport interface Shapes { ${fields.join('; ')} }`)
  try {
    return new Map([...fieldsOf(types.project)].map(([name, type]) => [name, shapeOf(types.project.checker, type)]))
  } finally {
    types.close()
  }
}

function fieldsOf({ checker, program, rootFiles }: Project): Map<string, Type> {
  const file = program.getSourceFile(rootFiles[0] ?? '')
  const shapes = checker.resolveName('Shapes', SymbolFlags.Interface, file)
  if (!shapes) throw new Error('The SDK’s types could not be read.')
  return propertiesOf(checker, checker.getDeclaredTypeOfSymbol(shapes))
}

function shapeOf(checker: Project['checker'], type: Type): Map<string, string[]> {
  return new Map([...propertiesOf(checker, type)].map(([name, field]) => [name, literalsOf(checker, field)]))
}

function propertiesOf(checker: Project['checker'], type: Type): Map<string, Type> {
  const symbols = checker.getPropertiesOfType(type)
  return new Map(
    symbols.flatMap((symbol) => {
      const field = checker.getTypeOfSymbol(symbol)
      return field ? [[symbol.name, field] as const] : []
    }),
  )
}

function literalsOf(checker: Project['checker'], type: Type): string[] {
  if (type.isUnionType()) return type.getTypes().flatMap((member) => literalsOf(checker, member))
  if (type.isStringLiteralType()) return [type.value]
  const isList = type.isTypeReference() && checker.isArrayType(type)
  return isList ? checker.getTypeArguments(type).flatMap((element) => literalsOf(checker, element)) : []
}
