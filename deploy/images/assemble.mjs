// Runs in the image's build stage: node assemble.mjs PART TARGET copies only what the image needs into TARGET:
// runtime/ (Node and its libraries), libraries/ (production dependencies), own/ (the part and the packages it uses).
import { existsSync } from 'node:fs'
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
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'

const [part, target] = process.argv.slice(2)
const builtAt = Number(process.env.SOURCE_DATE_EPOCH ?? 0)

// Files that are never loaded: tests and their helpers, types, and TypeScript below node_modules, which Node rejects.
const isTestCode = (path) =>
  /^web\/src\/.*\.(tsx|css)$|(^|\/)testing(\/|$)|\.(test|fixture|conformance[-\w]*)\.tsx?$/.test(path)
const isDeadWeight = (path) =>
  /\.([cm]?ts|map|md|markdown)$|\/(tests?|__tests__|docs|examples?|node_modules)$/.test(path)

const contents = {
  // The server imports some modules of the pages.
  web: ['server', 'src', 'dist'],
  'services/gateway': ['src', 'openapi.json'],
  'services/messaging': ['src', 'migrations', 'help'],
  ops: ['main.ts', 'backup', 'commands', 'invariants', 'provision', 'timeline'],
}

async function readPackage(folder) {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
}

/** Returns the workspaces that a part needs to run, beginning with its own. */
async function workspacesOf(folder, known = new Set()) {
  if (known.has(folder)) return known
  known.add(folder)
  const { dependencies = {} } = await readPackage(folder)
  for (const name of Object.keys(dependencies))
    if (name.startsWith('@marketplace/')) await workspacesOf(`packages/${name.slice('@marketplace/'.length)}`, known)
  return known
}

// Packages whose native code is in optional packages, one for each platform. The installed ones are copied.
const hasNativePackages = (folder) => /(^|\/)node_modules\/(sharp|@img\/[^/]+)$/.test(folder)

/** Returns the folders of the packages that the code of a folder loads, by Node's rules of resolution. */
async function librariesOf(folder, known = new Set()) {
  const { dependencies = {}, optionalDependencies, ...manifest } = await readPackage(folder)
  const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  const native = hasNativePackages(folder) ? Object.keys(optionalDependencies ?? {}) : []
  for (const name of [...Object.keys(dependencies), ...peers, ...native]) {
    const found = name.startsWith('@marketplace/') ? undefined : findLibrary(folder, name)
    if (found === undefined || known.has(found)) continue
    known.add(found)
    await librariesOf(found, known)
  }
  return known
}

function findLibrary(folder, name) {
  for (let place = folder; ; place = dirname(place)) {
    const found = join(place, 'node_modules', name)
    if (existsSync(found)) return found
    if (place === '.') return undefined
  }
}

async function copyTree(from, to, isLeftOut) {
  const found = await lstat(from).catch(() => undefined)
  if (!found) return
  if (found.isDirectory()) {
    for (const entry of (await readdir(from)).toSorted())
      if (!isLeftOut(join(from, entry))) await copyTree(join(from, entry), join(to, entry), isLeftOut)
  } else {
    await mkdir(dirname(to), { recursive: true })
    if (found.isSymbolicLink()) await symlink(await readlink(from), to)
    else await copyFile(from, to)
  }
}

/** Writes a package.json with only the fields that Node reads. */
async function writePackage(folder, to) {
  const { name, version, type, exports, dependencies } = await readPackage(folder)
  const text = JSON.stringify({ name, version, private: true, type, exports, dependencies }, null, 2)
  await writeFile(join(to, 'package.json'), `${text}\n`)
}

/** Loads the native modules of packages, such as sharp, so that the report of this process lists what they are linked to. */
async function loadNativeModules(folders) {
  for (const folder of folders)
    for (const file of await readdir(folder, { recursive: true }))
      if (file.endsWith('.node')) createRequire(import.meta.url)(resolve(folder, file))
}

/** Copies Node and the system libraries that this process has loaded, each to its own path. */
async function copyRuntime(to) {
  const { sharedObjects } = process.report.getReport()
  const loaded = sharedObjects.filter((path) => path.startsWith('/') && !path.startsWith(resolve('.')))
  for (const [from, place] of [[process.execPath, '/usr/bin/node'], ...loaded.map((path) => [path, path])]) {
    if (from === process.execPath && place !== '/usr/bin/node') continue
    await mkdir(dirname(join(to, place)), { recursive: true })
    await copyFile(from, join(to, place))
    await chmod(join(to, place), 0o755)
  }
  await mkdir(join(to, 'etc'), { recursive: true })
  await writeFile(join(to, 'etc/passwd'), 'nonroot:x:65532:65532::/app:/nonexistent\n')
  await writeFile(join(to, 'etc/group'), 'nonroot:x:65532:\n')
  await writeFile(join(to, 'etc/nsswitch.conf'), 'hosts: files dns\n')
  await mkdir(join(to, 'tmp'), { recursive: true })
  await chmod(join(to, 'tmp'), 0o1777)
}

async function stamp(path) {
  const found = await lstat(path)
  if (found.isDirectory()) for (const entry of await readdir(path)) await stamp(join(path, entry))
  await lutimes(path, builtAt, builtAt)
}

const libraries = new Set()
for (const workspace of await workspacesOf(part)) {
  await librariesOf(workspace, libraries)
  for (const entry of contents[workspace] ?? ['src', 'migrations'])
    await copyTree(join(workspace, entry), join(target, 'own', workspace, entry), isTestCode)
  await writePackage(workspace, join(target, 'own', workspace))
  const link = join(target, 'own/node_modules', (await readPackage(workspace)).name)
  await mkdir(dirname(link), { recursive: true })
  await symlink(relative(dirname(link), join(target, 'own', workspace)), link)
}
// `restore` creates the schemas with the migrations that the backup records.
if (part === 'ops')
  for (const service of await readdir('services'))
    await copyTree(
      join('services', service, 'migrations'),
      join(target, 'own/services', service, 'migrations'),
      isTestCode,
    )
for (const library of libraries) await copyTree(library, join(target, 'libraries', library), isDeadWeight)
await loadNativeModules(libraries)
await copyRuntime(join(target, 'runtime'))
await stamp(target)
