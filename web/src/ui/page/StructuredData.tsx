import { useIsHydrating } from '../../api/hydration/use-is-hydrating.ts'

/**
 * Renders structured data as JSON-LD. `<` is escaped, so that no text can end the script element. Renders nothing while
 * the page hydrates, because the HTML from the server already contains the structured data.
 */
export function StructuredData({ of }: { of: () => object }) {
  if (useIsHydrating()) return null
  return <script type="application/ld+json">{JSON.stringify(of()).replaceAll('<', String.raw`\u003c`)}</script>
}
