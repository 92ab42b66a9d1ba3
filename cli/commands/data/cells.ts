import { dataDirOption, operatorCommand } from '../../operate.ts'

export const cellsList = operatorCommand({
  path: 'cells list',
  summary: 'Lists the cells and their states',
  description:
    'Shows each cell of DATABASE_URL and PURSER_CELL_<NAME>, and each that has joined the bank before: whether its database is ready, read-only or away, its range of ids, the number of its organisations, the version of its server, and how far its standby is behind. Works while cells are away, and while the service runs.',
  options: [dataDirOption],
  examples: [{ run: 'purser cells list', does: 'Shows which cells are there' }],
  load: async () => (await import('../../../src/cells/commands/list.ts')).listCells,
  knowsRetired: true,
})

export const cellsRetire = operatorCommand({
  path: 'cells retire',
  summary: 'Retires a cell that has no organisations any more',
  description:
    'The cell takes no new organisations. The command gives its ACH files to the home cell, deletes the rows of organisations that have left, and notes that its name and its range are never used again. Refuses a cell with organisations, with a move or with an ACH file under way, and the home cell. It cannot be undone. If the command is killed, run it again: it continues. The service may run; remove the variables of the cell afterwards.',
  arguments: [{ name: 'name', description: 'Name of the cell' }],
  options: [{ flags: '--yes', description: 'Retire without a question' }, dataDirOption],
  examples: [{ run: 'purser cells retire east --yes', does: 'Retires the cell east' }],
  load: async () => (await import('../../../src/cells/commands/retire.ts')).retire,
  knowsRetired: true,
})
