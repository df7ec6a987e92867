// In the image's build stage: node assemble.mjs PART TARGET puts what the image needs, and nothing else, below TARGET:
// runtime/ (Node and its libraries), libraries/ (production dependencies), own/ (the part and the packages it uses).
import {
  chmod,
  copyFile,
  lstat,
  lutimes,
  mkdir,
  readFile,
  readdir,
  readlink,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

const [part, target] = process.argv.slice(2)
const builtAt = Number(process.env.SOURCE_DATE_EPOCH ?? 0)
const source = process.cwd()

// What is never loaded: tests and what they stand on; types, and TypeScript below node_modules, which Node refuses.
const isTestCode = (path) => /(^|\/)testing(\/|$)|\.(test|fixture|conformance[-\w]*)\.tsx?$/.test(path)
const isDeadWeight = (path) =>
  /\.([cm]?ts|map|md|markdown|tsbuildinfo)$|\/(test|tests|__tests__|docs|examples?)(\/|$)/.test(path)

const contents = {
  web: ['server', 'dist'],
  'services/gateway': ['src', 'openapi.json'],
  'services/messaging': ['src', 'migrations', 'help'],
}

async function copyTree(from, to, isLeftOut = () => false) {
  const found = await lstat(from).catch(() => undefined)
  if (!found || isLeftOut(from)) return
  if (found.isDirectory()) {
    for (const entry of (await readdir(from)).toSorted()) await copyTree(join(from, entry), join(to, entry), isLeftOut)
  } else {
    await mkdir(dirname(to), { recursive: true })
    if (found.isSymbolicLink()) await symlink(await readlink(from), to)
    else await copyFile(from, to)
  }
}

/** The libraries that this very process has loaded, where the loader looks for them. */
async function copyRuntime(to) {
  await copyTree(process.execPath, join(to, 'usr/bin/node'))
  const libraries = process.report.getReport().sharedObjects.filter((path) => path.startsWith('/'))
  for (const library of libraries) if (library !== process.execPath) await copyReal(library, join(to, library))
  await mkdir(join(to, 'etc'), { recursive: true })
  await writeFile(join(to, 'etc/passwd'), 'nonroot:x:65532:65532::/app:/nonexistent\n')
  await writeFile(join(to, 'etc/group'), 'nonroot:x:65532:\n')
  await writeFile(join(to, 'etc/nsswitch.conf'), 'hosts: files dns\n')
  await mkdir(join(to, 'tmp'), { recursive: true })
  await chmod(join(to, 'tmp'), 0o1777)
}

async function copyReal(from, to) {
  await mkdir(dirname(to), { recursive: true })
  await copyFile(from, to)
  await chmod(to, 0o755)
}

/** The workspaces that a part needs to run, itself first. */
async function workspacesOf(folder, known = new Set()) {
  if (known.has(folder)) return known
  known.add(folder)
  const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies))
    if (name.startsWith('@marketplace/')) await workspacesOf(`packages/${name.slice('@marketplace/'.length)}`, known)
  return known
}

async function stamp(path) {
  const found = await lstat(path)
  if (found.isDirectory()) for (const entry of await readdir(path)) await stamp(join(path, entry))
  await lutimes(path, builtAt, builtAt)
}

const own = [...(await workspacesOf(part))]
for (const workspace of own) {
  for (const entry of ['package.json', ...(contents[workspace] ?? ['src', 'migrations'])])
    await copyTree(join(workspace, entry), join(target, 'own', workspace, entry), isTestCode)
  await copyTree(join(workspace, 'node_modules'), join(target, 'libraries', workspace, 'node_modules'), isDeadWeight)
}
for (const entry of (await readdir('node_modules')).toSorted())
  if (!entry.startsWith('.') && entry !== '@marketplace')
    await copyTree(join('node_modules', entry), join(target, 'libraries/node_modules', entry), isDeadWeight)
for (const workspace of own) {
  const { name } = JSON.parse(await readFile(join(workspace, 'package.json'), 'utf8'))
  const link = join(target, 'own/node_modules', name)
  await mkdir(dirname(link), { recursive: true })
  await symlink(join(relative(dirname(join(source, 'node_modules', name)), source), workspace), link)
}
await copyRuntime(join(target, 'runtime'))
await stamp(target)
