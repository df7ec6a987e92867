// The import direction of the architecture; `npm run check` shows that it fails on a planted import.
const service = '^services/([^/]+)/'

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
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(services|web|e2e)/' },
    },
    {
      name: 'only-tests-use-dev',
      comment: 'Nothing under dev/ or packages/testing is in a production image.',
      severity: 'error',
      from: {
        path: '^(packages/(kit|contracts)|services|web)/',
        pathNot: '(/testing/|\\.(test|conformance[-\\w]*|fixture)\\.tsx?$)',
      },
      to: { path: '^(dev|packages/testing|e2e)/' },
    },
    {
      name: 'web-alone',
      comment: 'The pages know the API by their generated client only; their server may use the kit.',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^(packages|services|dev|e2e)/' },
    },
    {
      name: 'sql-in-repos',
      comment: 'Only *.repo.ts, db.ts and the kit see kysely.',
      severity: 'error',
      from: { path: '^services/', pathNot: '(\\.repo|/db|\\.test|/testing/.*)\\.ts$' },
      to: { path: 'node_modules/(kysely|pg)/', dependencyTypesNot: ['type-only'] },
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
    exclude: { path: '(/gen/|\\.gen\\.ts$|/dist/)' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
}
