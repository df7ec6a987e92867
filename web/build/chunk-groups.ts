/**
 * Combines the modules that most pages share into two files. Without these groups, the home page would load 18 shared
 * modules as separate files of 200 bytes to 3 kB and seven style sheets, but a phone's browser fetches only six files
 * at a time.
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
    // Excludes dialogs and sheets (15 kB) from the group, because their code is loaded only when one opens.
    test: /src\/(?:ui|watchlist|rules|api|session)\/(?!feedback\/(?:Dialog|Sheet|MantineRoot|mantine))|@tabler\/icons-react/,
  },
]
