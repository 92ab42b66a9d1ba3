import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { providersPage } from './provider-table.ts'

/** Writes docs/providers.md anew; a test compares the committed file with what the connectors have. */
writeFileSync(join(import.meta.dirname, '..', 'docs', 'providers.md'), providersPage())
