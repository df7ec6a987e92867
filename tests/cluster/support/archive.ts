// Reads an image as Docker and buildah save it: a tar of layers, which are tars.
import { run } from '@marketplace/tools/run/run.ts'

export interface ImageFile {
  path: string
  mode: string
  bytes: number
}

export interface Image {
  user: string
  labels: Record<string, string>
  entrypoint: string[]
  environment: string[]
  files: ImageFile[]
  /** Returns the text of a file by its path. */
  read(path: string): Promise<string>
}

export async function openArchive(archive: string): Promise<Image> {
  const entry = async (name: string) => (await run('tar', ['-xOf', archive, name])).output
  const [manifest] = JSON.parse(await entry('manifest.json'))
  const { config } = JSON.parse(await entry(manifest.Config))
  const layers: string[] = manifest.Layers
  const listed = await Promise.all(layers.map((layer) => listLayer(archive, layer)))
  return {
    user: config.User,
    labels: config.Labels ?? {},
    entrypoint: config.Entrypoint ?? [],
    environment: config.Env ?? [],
    files: listed.flat(),
    async read(path) {
      const at = listed.findLastIndex((files) => files.some((file) => file.path === path))
      return shell(`tar -xOf "$1" "$2" | tar -xOf - "$3"`, [archive, layers[at] ?? '', path])
    },
  }
}

async function listLayer(archive: string, layer: string): Promise<ImageFile[]> {
  const text = await shell('tar -xOf "$1" "$2" | tar -tvf -', [archive, layer])
  return text
    .split('\n')
    .map((line) => /^(\S+)\s+\S+\s+(\d+)\s+\S+\s+\S+\s+(.+?)(?: -> .*)?$/.exec(line))
    .flatMap((found) => (found ? [{ mode: found[1] ?? '', bytes: Number(found[2]), path: found[3] ?? '' }] : []))
}

async function shell(script: string, args: readonly string[]): Promise<string> {
  const { code, output } = await run('sh', ['-c', script, 'sh', ...args])
  if (code !== 0) throw new Error(output)
  return output
}
