import { dataDirOption, operatorCommand } from '../../operate.ts'

export const exportOrganisation = operatorCommand({
  path: 'export organisation',
  summary: 'Writes all that an organisation has into one encrypted file',
  description:
    'Writes customers, accounts, cards, payments, transfers, events, documents and everything else of an organisation into one archive, which purser import reads into a new bank, with the same ids and account numbers. The rows are those of one moment, and the service may run. The archive holds personal data and keys: it is encrypted in the format of age (age-encryption.org), and only the holder of the secret of a recipient can read it. Prints the counts, the head of the chain of events and the hash of the file, to compare them after the import. Payments and changes that come later are not in the file.',
  arguments: [{ name: 'name', description: 'Name of the organisation' }],
  options: [
    { flags: '--to <file>', description: 'File to write. It has its name only if it is complete' },
    {
      flags: '--recipient <recipient>',
      description: 'Public key of who may read it, such as age1…; purser keys identity makes one',
      repeatable: true,
    },
    dataDirOption,
  ],
  examples: [
    {
      run: 'purser export organisation default --to default.age --recipient "$RECIPIENT"',
      does: 'Writes the first organisation into default.age',
    },
  ],
  load: async () => (await import('../../../src/operator/organisation-files/export.ts')).exportOrganisation,
})

export const exportUnit = operatorCommand({
  path: 'export unit',
  summary: 'Reads an organisation at Unit into files that purser import takes',
  description:
    'Reads customers, accounts, external accounts, cards and transactions of the organisation to which the token of the connector belongs, with the settings of a service that uses it (PURSER_BANKING_PROVIDER=unit). Changes nothing at Unit. Writes them into a folder in the form of the guide Move in, readable by you only. Prints every figure of Unit that differs from what its transactions make, in cents, and the records that are not in the files, with the reason. Exits with 1 if there are any.',
  options: [{ flags: '--to <folder>', description: 'New folder. It has its name only if it is complete' }],
  examples: [{ run: 'purser export unit --to former-bank', does: 'Writes the files of former-bank' }],
  load: async () => (await import('../../../src/operator/former-files/from-unit.ts')).exportUnit,
})

export const importRecords = operatorCommand({
  path: 'import',
  summary: 'Reads the archive of another bank, or the records of a former system',
  description:
    'Of a file: reads what purser export organisation has written into a bank that has given out no ids of its own: a data folder or database before its first start, whose tables it makes. Ids and account numbers stay the same. All of the archive is checked as purser verify does, and committed at once: a run that is killed leaves nothing, and the same archive twice is one import. Prints the counts of the archive and of the bank side by side. Keys and webhooks of the archive end, so that a copy disturbs nobody; with --take-over they work here. Persons sign in anew. With --files nothing is imported: the archive becomes a folder, which any bank takes, with new ids and numbers, and the map of them. Of a folder: reads customers, accounts, external accounts, cards and the history from CSV or JSON Lines into an organisation without customers, see the guide Move in. Every fault is printed with its line, and with a fault nothing is imported. The service may run.',
  arguments: [{ name: 'from', description: 'Archive, or folder with files' }],
  options: [
    { flags: '--check', description: 'Check everything, and import nothing' },
    { flags: '--identity <file>', description: 'Archive: file with the secret for which it is encrypted' },
    {
      flags: '--take-over',
      description:
        'Archive: the former bank has stopped for good. Keys, webhooks, pending and recurring payments go on here',
    },
    {
      flags: '--files <folder>',
      description:
        'Archive: write customers, accounts, cards and history as files, for a bank that has other ids or another routing number',
    },
    { flags: '--organisation <name>', description: 'Folder: organisation that the records go to' },
    { flags: '--webhooks', description: 'Folder: send webhooks of the organisation for every record' },
    dataDirOption,
  ],
  examples: [
    {
      run: 'purser import former-bank --organisation Acme --check',
      does: 'Prints the faults of the files in a folder',
    },
    { run: 'purser import default.age --identity secret.txt --check', does: 'Checks an archive, and keeps nothing' },
    {
      run: 'purser import default.age --identity secret.txt --take-over',
      does: 'Continues an organisation whose former bank has stopped',
    },
  ],
  load: async () => (await import('../../../src/operator/import.ts')).importRecords,
})

export const organisationsFormerIds = operatorCommand({
  path: 'organisations former-ids',
  summary: 'Lists the ids that records had in the former system',
  description:
    'Lists customers, accounts, external accounts, cards and transactions that purser import has read from files: their kind, their id in the former system, their id here, and the number of an account. The former number of an account leads to it, too. In a pipe each is a line of JSON. The service may run.',
  arguments: [{ name: 'name', description: 'Name of the organisation' }],
  options: [{ flags: '--former <id>', description: 'Only records with this id in the former system' }, dataDirOption],
  examples: [
    { run: 'purser organisations former-ids Acme --former C-1001', does: 'Finds what was C-1001 in the former system' },
  ],
  load: async () => (await import('../../../src/operator/organisations/former-ids.ts')).formerIds,
})

export const keysIdentity = operatorCommand({
  path: 'keys identity',
  summary: 'Makes the key pair for which an archive is encrypted',
  description:
    'Writes the secret of a new key pair of age to a file that only you may read, and prints the public half: the recipient, to whom purser export organisation writes. A secret that is in the file already is kept. A file of age-keygen works as well. Without the secret nobody can read an archive.',
  arguments: [{ name: 'file', description: 'File for the secret' }],
  examples: [{ run: 'purser keys identity secret.txt', does: 'Writes the secret, and prints the recipient' }],
  load: async () => (await import('../../../src/operator/organisation-files/identity.ts')).makeIdentity,
})
