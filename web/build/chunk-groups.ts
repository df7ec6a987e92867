/**
 * Combines the modules that most pages share into two files, because the home page would otherwise load 25 small files.
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
    // Dialogs and sheets (15 kB) are excluded from the file, because they are loaded only when opened.
    test: /src\/(?:ui|watchlist|rules|api|session)\/(?!feedback\/(?:Dialog|Sheet|MantineRoot|mantine))|@tabler\/icons-react/,
  },
]
