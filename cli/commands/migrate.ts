import { dataDirOption, operatorCommand } from '../operate.ts'

export const migrate = operatorCommand({
  path: 'migrate',
  summary: 'Applies the migrations of the database',
  description:
    'Meant for a service whose role does not own the tables: run it with the DATABASE_URL of their owner, before the first start and after every update. A service that owns its tables migrates them itself.',
  options: [
    { flags: '--service-role <name>', description: 'Role of the service, which gets the privileges that it needs' },
    dataDirOption,
  ],
  examples: [{ run: 'purser migrate', does: 'Applies the migrations that are missing' }],
  load: async () => (await import('../../src/operator/migrate.ts')).migrate,
})
