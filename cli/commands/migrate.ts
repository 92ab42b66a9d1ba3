import type { Command } from '../command.ts'
import { dataDirOption, operated } from '../operate.ts'

export const migrate: Command = {
  path: 'migrate',
  summary: 'Applies the migrations of the database',
  description:
    'Meant for a service whose role does not own the tables: run it with the DATABASE_URL of their owner, before the first start and after every update. A service that owns its tables migrates them itself.',
  group: 'Operate',
  isLocal: true,
  options: [
    { flags: '--service-role <name>', description: 'Role of the service, which gets the privileges that it needs' },
    dataDirOption,
  ],
  examples: [{ run: 'purser migrate', does: 'Applies the migrations that are missing' }],
  run: operated(async () => (await import('../../src/operator/migrate.ts')).migrate),
}
