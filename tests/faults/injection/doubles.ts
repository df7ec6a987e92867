// Preloaded by tests (`node --import`): DOUBLES lists files below the folder `doubles`, separated by commas. A double
// replaces one module of the product: it re-exports that module (`export * from`) and overrides what it declares
// itself. All importers of the module get the double, and the double gets the module.
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { realModuleOf } from './doubles/real-module.ts'

const doubles = new Map<string, string>()

for (const name of (process.env['DOUBLES'] ?? '').split(',').filter((name) => name !== '')) {
  const double = join(import.meta.dirname, 'doubles', `${name}.ts`)
  const real = pathToFileURL(realModuleOf(double)).href
  if (doubles.has(real)) throw new Error(`${name} and another double replace ${real}.`)
  doubles.set(real, pathToFileURL(double).href)
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    const double = doubles.get(resolved.url)
    return double === undefined || context.parentURL === double ? resolved : { ...resolved, url: double }
  },
})
