import { backup } from './backup.ts'
import type { Command } from './command.ts'
import { provision } from './provision.ts'
import { restore } from './restore.ts'
import { timeline } from './timeline.ts'
import { verifyInvariants } from './verify-invariants.ts'

export const commands: Readonly<Record<string, Command>> = {
  'verify-invariants': verifyInvariants,
  timeline,
  provision,
  backup,
  restore,
}
