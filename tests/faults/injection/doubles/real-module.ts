import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * Returns the file that a double re-exports. Reads the double instead of importing it: no product module may be loaded
 * yet.
 */
export function realModuleOf(double: string): string {
  const [, specifier, ...rest] = readFileSync(double, 'utf8').split(/^export \* from '(.+)'$/m)
  if (specifier === undefined || rest.length !== 1) throw new Error(`${double} must re-export one module.`)
  return createRequire(double).resolve(specifier)
}
