import { readFileSync } from 'node:fs'

/**
 * Returns a function that returns whether npm, which started this process, has exited. npm starts this process through
 * a shell. Some shells replace themselves by their last command: then npm is the parent of this process, and the parent
 * of npm is the user’s shell, which may exit earlier.
 */
export function watchNpm(): () => boolean {
  const { ppid } = process
  if (!isShellOfNpm(ppid)) return () => process.ppid !== ppid
  const npm = parentOf(ppid)
  return () => process.ppid !== ppid || parentOf(ppid) !== npm
}

// npm sets `npm_lifecycle_event` to the name of the script for the shell, but not for itself. npm has the variable of
// another script if that script started npm.
function isShellOfNpm(pid: number): boolean {
  const event = `npm_lifecycle_event=${process.env['npm_lifecycle_event']}`
  return readProc(pid, 'environ').split('\0').includes(event)
}

function parentOf(pid: number): string {
  return /^PPid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? ''
}

/** Returns a file of the process in /proc, which only Linux has; '' if it does not exist. */
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
