/**
 * Combines modules that most pages share into two files. By default each shared module becomes a file of its own: 18 files of
 * 200 bytes to 3 kB and seven style sheets for the home page, while a phone's browser fetches six files at a time.
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
    // Dialogs and sheets add 15 kB and are loaded when they open.
    test: /src\/(?:ui|watchlist|rules|api|session)\/(?!feedback\/(?:Dialog|Sheet))|@tabler\/icons-react/,
  },
]
