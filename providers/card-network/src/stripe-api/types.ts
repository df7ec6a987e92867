import { join } from 'node:path'
import { API, type Project } from 'typescript/unstable/sync'
import { root } from '@marketplace/tools/run/run.ts'

/** A project as the compiler sees it. Must be closed, since it runs in a separate process. */
export interface Types {
  project: Project
  close(): void
}

export function openTypes(): Types {
  return open(join(root, 'tsconfig.json'), {})
}

/** Opens a project with one virtual file, which resolves imports as if it were in this folder. */
export function openTypesOf(text: string): Types {
  const folder = join(import.meta.dirname, 'unwritten')
  const config = { extends: join(root, 'tsconfig.json'), include: [], files: ['file.ts'] }
  return open(join(folder, 'tsconfig.json'), {
    [join(folder, 'tsconfig.json')]: JSON.stringify(config),
    [join(folder, 'file.ts')]: text,
  })
}

function open(config: string, unwritten: Readonly<Record<string, string>>): Types {
  const api = new API({
    cwd: root,
    fs: {
      readFile: (name) => unwritten[name],
      fileExists: (name) => (name in unwritten ? true : undefined),
    },
  })
  const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects()
  if (!project) throw new Error(`${config} is no project.`)
  return { project, close: () => api.close() }
}
