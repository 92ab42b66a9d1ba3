import { dataDirOption, operatorCommand } from '../../operate.ts'

const limit = (period: string, kind: 'soft' | 'hard', of: string) => ({
  flags: `--${period}-${kind} <cents>`,
  description: `${kind === 'soft' ? 'Review' : 'Refuse'} payments above this amount of ${of}`,
})

export const organisationsLimits = operatorCommand({
  path: 'organisations limits',
  summary: 'Shows or replaces the limits of the payments of an organisation',
  description:
    'Without options shows the limits with the amounts of the day and the month so far. With options replaces all of them: a limit that is not named is removed. A payment above a soft limit waits for a review, unless the screening lets it pass; one above a hard limit is refused. Days and months are those of bank time in UTC. A change emits organisation.limitsChanged, which is also in the audit log. The service may run.',
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
  load: async () => (await import('../../../src/operator/organisations/limits.ts')).limits,
})

export const organisationsList = operatorCommand({
  path: 'organisations list',
  summary: 'Lists the organisations and their cells',
  description:
    'Shows each organisation with the cell that owns it, its state (active, idle, or moving to another cell), and the numbers of its accounts and events. The service may run.',
  options: [dataDirOption],
  examples: [{ run: 'purser organisations list', does: 'Shows which organisation is in which cell' }],
  load: async () => (await import('../../../src/cells/commands/list-organisations.ts')).listOrganisations,
})

export const organisationsCreate = operatorCommand({
  path: 'organisations create',
  summary: 'Creates an organisation in a cell',
  description:
    'Creates an organisation without keys; purser keys create makes one. A name is used once over all cells. The service may run.',
  arguments: [{ name: 'name', description: 'Name of the organisation' }],
  options: [{ flags: '--cell <cell>', description: 'Cell of the organisation (default: home)' }, dataDirOption],
  examples: [{ run: 'purser organisations create Acme --cell east', does: 'Creates Acme in the cell east' }],
  load: async () => (await import('../../../src/operator/organisations/create.ts')).createOrganisation,
})

export const organisationsMove = operatorCommand({
  path: 'organisations move',
  summary: 'Moves an organisation to another cell',
  description:
    'Copies all records of an organisation to another cell while the service runs, refuses its writes for a moment (503 with Retry-After), compares both cells, and makes the other cell its owner. Keys, webhooks, positions in the feed, stored answers and ids stay valid. A command that was killed is run again and goes on, or begins again. See docs/scaling.md for the settings of the servers.',
  arguments: [{ name: 'name', description: 'Name of the organisation' }],
  options: [
    { flags: '--to <cell>', description: 'The cell to move to' },
    {
      flags: '--reach <url>',
      description: "URL at which the new cell's server reaches the present one's, if it differs",
    },
    { flags: '--abort', description: 'Break off a move: the organisation stays where it is' },
    dataDirOption,
  ],
  examples: [
    { run: 'purser organisations move Acme --to east', does: 'Moves Acme to the cell east' },
    { run: 'purser organisations move Acme --abort', does: 'Breaks the move off' },
  ],
  load: async () => (await import('../../../src/cells/commands/move.ts')).move,
})
