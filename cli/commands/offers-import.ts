import { dataDirOption, operatorCommand } from '../operate.ts'

export const offersImport = operatorCommand({
  path: 'offers import',
  summary: 'Imports offers into the catalogue',
  description:
    'Reads a file of JSON Lines, one offer a line, and imports all of them or, if a line has a fault, none. An offer with a known key is replaced.',
  arguments: [{ name: 'file', description: 'File of JSON Lines' }],
  options: [dataDirOption],
  examples: [{ run: 'purser offers import offers.jsonl', does: 'Imports the offers of a file' }],
  load: async () => (await import('../../src/operator/offers.ts')).importOfferFile,
})
