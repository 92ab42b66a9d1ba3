import type { Command } from '../command.ts'
import { runFileCommand } from '../own-program.ts'

export const achCheck: Command = {
  path: 'ach check',
  summary: 'Checks an ACH file',
  description:
    'Prints valid and a summary, or every fault with its line, column and code, and exits with 1. Warnings leave the exit code 0. Needs no service and no database. Prints text in a pipe, too; --json prints JSON lines.',
  group: 'Operate',
  arguments: [{ name: 'file', description: 'ACH file, at most 64 MiB' }],
  examples: [{ run: 'purser ach check payments.ach', does: 'Checks a file before it is sent or taken' }],
  run: (call) => runFileCommand(['ach', 'check'], call),
}
