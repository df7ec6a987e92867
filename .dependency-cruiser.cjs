// The import direction of the architecture; `npm run check` shows that it fails on a planted import.
const service = '^services/([^/]+)/'
const testOnly = '(/testing/|\\.(test|conformance[-\\w]*|fixture)\\.tsx?$)'
const kit = (folders) => `^packages/kit/src/(${folders})/`

module.exports = {
  forbidden: [
    {
      name: 'services-stand-alone',
      comment: 'A service is shipped alone: it talks to another by events and internal calls only.',
      severity: 'error',
      from: { path: service },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'packages-below-services',
      comment: 'The packages are what services, web and ops are built from.',
      severity: 'error',
      from: { path: '^packages/', pathNot: testOnly },
      to: { path: '^(services|web|ops)/' },
    },
    {
      name: 'package-order',
      comment: 'contracts ← kit ← bus: in `A ← B`, B may import A.',
      severity: 'error',
      from: { path: '^packages/(contracts|kit)/', pathNot: testOnly },
      to: { path: '^packages/bus/' },
    },
    {
      name: 'contracts-first',
      severity: 'error',
      from: { path: '^packages/contracts/' },
      to: { path: '^packages/(kit|bus|testing)/' },
    },
    {
      name: 'kit-foundation',
      comment:
        'values errors config telemetry ← db http rpc auth cache jobs ← events idempotency migrate ← app personal-data',
      severity: 'error',
      from: { path: kit('values|errors|config|telemetry'), pathNot: testOnly },
      to: { path: kit('db|http|rpc|auth|cache|jobs|events|idempotency|migrate|app|personal-data') },
    },
    {
      name: 'kit-access',
      severity: 'error',
      from: { path: kit('db|http|rpc|auth|cache|jobs'), pathNot: testOnly },
      to: { path: kit('events|idempotency|migrate|app|personal-data') },
    },
    {
      name: 'kit-messaging',
      severity: 'error',
      from: { path: kit('events|idempotency|migrate'), pathNot: testOnly },
      to: { path: kit('app|personal-data') },
    },
    {
      name: 'no-circular',
      comment: 'Types and dynamic imports count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'production-apart',
      comment: 'A production image contains nothing that develops, imitates or tests the product.',
      severity: 'error',
      from: { path: '^(packages/(kit|bus|contracts)|services|web|ops)/', pathNot: testOnly },
      to: { path: '^(stack|providers|tools|tests|load|bench|packages/testing)/' },
    },
    {
      name: 'providers-are-strangers',
      comment:
        'A fake provider imports nothing of ours, as the real one would not. Three files that only checks run start tools.',
      severity: 'error',
      from: { path: '^providers/([^/]+)/', pathNot: `(${testOnly}|/stripe-api/(checks|document|types)\\.ts$)` },
      to: { path: '^(packages|services|web|ops|stack|tools|tests|load|bench|providers)/', pathNot: '^providers/$1/' },
    },
    {
      name: 'test-support',
      comment: 'packages/testing prepares databases and servers; it knows no service.',
      severity: 'error',
      from: { path: '^packages/testing/' },
      to: {
        path: '^(services|web|providers|tools|tests|load|bench|ops|stack)/',
        pathNot: '^(ops/provision|stack/servers)/',
      },
    },
    {
      name: 'web-alone',
      comment:
        'The pages know the API by their generated client only and share the formula of the fee and the bounds of cards; their server may use the kit.',
      severity: 'error',
      from: { path: '^web/src/' },
      to: {
        path: '^(packages|services|ops|providers|stack|tools|tests|load|bench)/',
        pathNot: '^packages/contracts/src/(fee|charge)\\.ts$',
      },
    },
    {
      name: 'optimistic-path-removable',
      comment: 'Without its folder and one call, the auction service places bids by the locked path.',
      severity: 'error',
      from: { path: '^services/auction/src/', pathNot: '^services/auction/src/bid/(place-bid\\.ts|optimistic/)' },
      to: { path: '^services/auction/src/bid/optimistic/' },
    },
    {
      name: 'sql-in-repos',
      comment: 'Only *.repo.ts, db.ts and the kit see kysely.',
      severity: 'error',
      from: { path: '^services/', pathNot: '(\\.repo|/db|\\.test|/testing/.*)\\.ts$' },
      to: { path: 'node_modules/(kysely|pg)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'image-decoders-apart',
      comment:
        'Image decoders are the riskiest code there is: the picture worker loads them, and the demo data and the app icons are made with one from known files.',
      severity: 'error',
      from: { pathNot: `(^stack/demo|^web/build/|^services/catalog/src/picture/processing/|${testOnly})` },
      to: { path: 'node_modules/(sharp|sharp-phash|file-type|@img)/' },
    },
    {
      name: 'picture-processing-in-its-process',
      comment: 'Only the picture worker runs the image decoders: the catalog service loads none.',
      severity: 'error',
      from: {
        pathNot: `(^services/catalog/src/(pictures\\.main\\.ts|picture/processing/)|^bench/pictures/|${testOnly})`,
      },
      to: { path: '^services/catalog/src/picture/processing/' },
    },
    {
      name: 'features-apart',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^(?!node_modules/).*/(gen|dist)/|\\.gen\\.ts$)' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
}
