import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventCatalogue } from '../src/event-catalogue.ts'
import { openapiOf } from '../src/http/openapi/document.ts'
import { operations } from '../src/operations.ts'

/** Writes openapi.json anew; a test compares the committed file with what the index says. */
const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
writeFileSync(
  join(root, 'openapi.json'),
  `${JSON.stringify(openapiOf(operations, version, eventCatalogue), null, 2)}\n`,
)
