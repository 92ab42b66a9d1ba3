import type { Command } from './command.ts'
import { clock, clockAdvance, clockNext, clockTo } from './commands/clock.ts'
import { listen } from './commands/listen.ts'
import { status } from './commands/status.ts'
import { trigger } from './commands/trigger.ts'

/** All commands that are written by hand, in the order of the help. */
export const commands: readonly Command[] = [
  // Service
  status,
  // Develop
  ...[listen, trigger],
  ...[clock, clockAdvance, clockTo, clockNext],
  // Records
  // Operate
]
