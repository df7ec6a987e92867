/**
 * Left alone, each module that two pages share becomes a file: 18 for the home page, of 200 bytes to 3 kB, and seven style sheets.
 * A phone's browser fetches six at a time, so what nearly every page needs comes in two.
 */
export const chunkGroups = [
  {
    name: 'base',
    priority: 2,
    test: /node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|@tanstack|clsx|openapi-fetch)\//,
  },
  {
    name: 'shared',
    priority: 1,
    minShareCount: 2,
    // Dialogs and sheets bring 15 kB along and come when they open.
    test: /src\/(?:ui|watching|rules|api|session)\/(?!Dialog|Sheet)|@tabler\/icons-react/,
  },
]
