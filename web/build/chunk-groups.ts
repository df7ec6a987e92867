/**
 * Combines the modules that most pages share into two files. Without it, each shared module becomes a file of its own: 18
 * files of 200 bytes to 3 kB and seven style sheets for the home page. A phone's browser fetches only six files at a time.
 */
export const chunkGroups = [
  {
    name: 'base',
    priority: 2,
    test: /node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|@tanstack|clsx)\//,
  },
  {
    name: 'shared',
    priority: 1,
    minShareCount: 2,
    // Excludes dialogs and sheets: they have 15 kB and are loaded only when one opens.
    test: /src\/(?:ui|watchlist|rules|api|session)\/(?!feedback\/(?:Dialog|Sheet|MantineRoot|mantine))|@tabler\/icons-react/,
  },
]
