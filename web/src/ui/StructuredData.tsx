/**
 * A `<` is escaped: no title ends the element. JSON-LD is data to the browser, so the Content-Security-Policy for scripts does not touch it.
 */
export function StructuredData({ data }: { data: object }) {
  return <script type="application/ld+json">{JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>
}
