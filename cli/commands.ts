import type { Command } from './command.ts'
import { api } from './commands/api.ts'
import { clock, clockAdvance, clockNext, clockTo } from './commands/clock.ts'
import { completion } from './commands/completion.ts'
import { get } from './commands/get.ts'
import { listen } from './commands/listen.ts'
import { open } from './commands/open.ts'
import { scenario } from './commands/scenario.ts'
import { status } from './commands/status.ts'
import { trigger } from './commands/trigger.ts'

/** All commands that are written by hand, in the order of the help. */
export const commands: readonly Command[] = [
  // Service
  status,
  open,
  completion,
  // Develop
  ...[listen, trigger],
  listen,
  get,
  ...[clock, clockAdvance, clockTo, clockNext],
  scenario,
  api,
  // Records
  // Operate
]
