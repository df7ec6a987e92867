/**
 * Combines the modules that most pages share into two files. Otherwise, the home page would load 25 small files in
 * several rounds, because a phone's browser fetches only six files at a time.
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
    // Excludes dialogs and sheets (15 kB). Their code is loaded only when a dialog or sheet opens.
    test: /src\/(?:ui|watchlist|rules|api|session)\/(?!feedback\/(?:Dialog|Sheet|MantineRoot|mantine))|@tabler\/icons-react/,
  },
]
