import type { Command } from '../../command.ts'
import { dataDirOption, operate } from '../../own-program.ts'

const limit = (period: string, kind: 'soft' | 'hard', of: string) => ({
  flags: `--${period}-${kind} <cents>`,
  description: `${kind === 'soft' ? 'Review' : 'Refuse'} payments above this amount of ${of}`,
})

export const organisationsLimits: Command = {
  path: 'organisations limits',
  summary: 'Shows or replaces the limits of the payments of an organisation',
  description:
    'Without options shows the limits with the amounts of the day and the month so far. With options replaces all of them: a limit that is not named is removed. A payment above a soft limit waits for a review, one above a hard limit is refused. Days and months are those of bank time in UTC. The service may run.',
  group: 'Operate',
  arguments: [{ name: 'name', description: 'Name of the organisation' }],
  options: [
    ...(['soft', 'hard'] as const).map((kind) => limit('payment', kind, 'one payment')),
    ...(['soft', 'hard'] as const).map((kind) => limit('day', kind, 'a day')),
    ...(['soft', 'hard'] as const).map((kind) => limit('month', kind, 'a month')),
    { flags: '--none', description: 'Remove all limits' },
    dataDirOption,
  ],
  examples: [
    {
      run: 'purser organisations limits Acme --payment-soft 500000 --day-hard 10000000',
      does: 'Reviews payments above $5,000, and stops at $100,000 a day',
    },
    { run: 'purser organisations limits Acme', does: 'Shows the limits, and what is used of them' },
  ],
  run: (call) => operate(['organisations', 'limits'], call),
}
