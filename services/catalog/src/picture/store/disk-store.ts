import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { DomainError } from '@marketplace/kit/errors/problem.ts'
import { ObjectChanged, type ListedObject, type ServedStore } from './picture-store.ts'
import { notAllowed, signPolicy, verifyPolicy } from './upload-policy.ts'

const keyForm = /^(?:uploads\/[\w-]{1,64}\.(?:jpg|png|webp|avif)|pictures\/[\w-]{1,64}\/\d{2,5}\.(?:jpg|webp|avif))$/

const types: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
}

// Suffix of files that are being written. If a crash leaves such files behind, the worker's sweep deletes them.
const partial = '.part'
const maxListed = 1000

/** Stores objects as files in `folder`. A file gets its final name only after its complete content is on disk. */
export function createDiskStore(folder: string, secret: string): ServedStore {
  const pathOf = (key: string) => {
    if (!keyForm.test(key)) throw notAllowed()
    return join(folder, key)
  }
  return {
    signUpload: async (terms) => ({ url: '/api/uploads', fields: signPolicy(terms, secret) }),
    async takeUpload(fields, file) {
      const { key, byteSize } = verifyPolicy(fields, secret, new Date())
      await writeFile(pathOf(key), file, byteSize)
    },
    head: (key) => ifExists(async () => toObject(key, await stat(pathOf(key), { bigint: true }))),
    async read(key, etag) {
      const file = await ifExists(() => open(pathOf(key)))
      if (!file) throw new ObjectChanged(key)
      try {
        if (toObject(key, await file.stat({ bigint: true })).etag !== etag) throw new ObjectChanged(key)
        return await file.readFile()
      } finally {
        await file.close()
      }
    },
    write: (key, _type, body) => writeFile(pathOf(key), Readable.from([body]), body.length),
    async remove(keys) {
      for (const key of keys) await rm(join(folder, key), { force: true })
      const folders = new Set(keys.filter((key) => key.startsWith('pictures/')).map(dirname))
      for (const name of folders) await removeEmptyFolder(join(folder, name))
    },
    list: (prefix, after = '') => listFiles(folder, prefix, after),
    async open(key) {
      const path = pathOf(key)
      const found = await ifExists(() => stat(path))
      return found && { byteSize: found.size, body: createReadStream(path) }
    },
  }
}

interface FileFacts {
  size: bigint
  mtimeNs: bigint
  ino: bigint
}

function toObject(key: string, { size, mtimeNs, ino }: FileFacts) {
  const contentType = types[key.slice(key.lastIndexOf('.') + 1)] ?? ''
  return { byteSize: Number(size), contentType, etag: `${ino}-${mtimeNs}-${size}` }
}

async function writeFile(path: string, body: Readable, byteSize: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}${partial}`
  const file = await open(temporary, 'wx', 0o600)
  try {
    try {
      await copyExactly(body, byteSize, (chunk) => file.writeFile(chunk))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

async function copyExactly(body: Readable, byteSize: number, write: (chunk: Buffer) => Promise<void>): Promise<void> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > byteSize) throw wrongSize()
    await write(chunk)
  }
  if (bytes !== byteSize) throw wrongSize()
}

function wrongSize(): DomainError {
  return new DomainError('too_large', 'wrong_size', 'The file does not have the announced size.')
}

// Flushes a folder to disk, so that a power failure cannot lose the name of a new file.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function listFiles(folder: string, prefix: string, after: string): Promise<ListedObject[]> {
  const top = prefix.split('/')[0] ?? ''
  const names = (await ifExists(() => readdir(join(folder, top)))) ?? []
  const found: ListedObject[] = []
  for (const name of names.toSorted()) {
    const key = `${top}/${name}`
    if (!key.startsWith(prefix) || `${key}0` <= after) continue
    found.push(...(await listBelow(folder, key)).filter((object) => object.key > after))
    if (found.length >= maxListed) break
  }
  return found.slice(0, maxListed)
}

async function listBelow(folder: string, key: string): Promise<ListedObject[]> {
  const facts = await ifExists(() => stat(join(folder, key)))
  if (!facts) return []
  if (!facts.isDirectory()) return [{ key, modifiedAt: facts.mtime }]
  const names = (await ifExists(() => readdir(join(folder, key)))) ?? []
  return (await Promise.all(names.toSorted().map((name) => listBelow(folder, `${key}/${name}`)))).flat()
}

async function removeEmptyFolder(path: string): Promise<void> {
  await ifExists(async () => {
    if ((await readdir(path)).length === 0) await rm(path, { recursive: true, force: true })
  })
}

async function ifExists<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}
