// Unpacks Chromium, its libraries and its fonts from @sparticuz/chromium into the folder that TMPDIR names.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { inflate } from '@sparticuz/chromium'

const packed = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin')

for (const part of ['chromium.br', 'al2023.tar.br', 'fonts.tar.br']) await inflate(join(packed, part))
