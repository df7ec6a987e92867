import { useIsHydrating } from '../api/use-is-hydrating.ts'

/**
 * A `<` is escaped: no title ends the element. JSON-LD is data to the browser, so the Content-Security-Policy for scripts does
 * not touch it. Web's server writes its own.
 */
export function StructuredData({ of }: { of: () => object }) {
  if (useIsHydrating()) return null
  return <script type="application/ld+json">{JSON.stringify(of()).replaceAll('<', String.raw`\u003c`)}</script>
}
