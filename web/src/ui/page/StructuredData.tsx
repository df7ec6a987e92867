import { useIsHydrating } from '../../api/hydration/use-is-hydrating.ts'

/**
 * Renders structured data as JSON-LD, with `<` escaped, so that no text can end the script element. Renders nothing on
 * the server and during hydration, because the server adds the data to the document's head.
 */
export function StructuredData({ of }: { of: () => object }) {
  if (useIsHydrating()) return null
  return <script type="application/ld+json">{JSON.stringify(of()).replaceAll('<', String.raw`\u003c`)}</script>
}
