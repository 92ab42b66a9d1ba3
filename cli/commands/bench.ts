import type { Command } from '../command.ts'
import { runProgram, wordsOf } from '../own-program.ts'

export const bench: Command = {
  path: 'bench',
  summary: 'Measures the service, in a checkout of the repository',
  description:
    'Starts services of its own and prints figures and ratios of this machine. bench/README.md describes the parts.',
  group: 'Operate',
  isLocal: true,
  options: [
    { flags: '--only <parts>', description: 'Parts to measure, separated by commas (default: all but growth)' },
    { flags: '--seconds <number>', description: 'Seconds of each measurement (default: 5)' },
    { flags: '--rounds <number>', description: 'Rounds of each part (default: 3)' },
    { flags: '--accounts <number>', description: 'Accounts of the world (default: 100000)' },
    { flags: '--scale <number>', description: 'Scale of the TPC-B tables (default: 50)' },
    { flags: '--cpu-profile <folder>', description: 'Folder for CPU profiles of the service' },
    { flags: '--against <commit>', description: 'Commit to compare with' },
    { flags: '--sizes <numbers>', description: 'Stored payments to compare (default: 100000,1000000,10000000)' },
    { flags: '--peers <files>', description: 'Descriptions of other servers to compare with, separated by commas' },
  ],
  examples: [{ run: 'purser bench --only start --rounds 1', does: 'Measures a first start and a restart' }],
  run: (call) => runProgram({ source: 'bench/bench.ts' }, wordsOf(call.options), { call }),
}
