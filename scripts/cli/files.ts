import { eventCatalogue } from '../../src/event-catalogue.ts'
import { openapiOf } from '../../src/http/openapi/document.ts'
import { operations } from '../../src/operations.ts'
import type { ApiDocument } from '../client/types.ts'
import { operationCommandsText, resourceNamesText } from './operations.ts'
import { cliPage } from './page.ts'

/** The generated files of the command line by their paths. */
export async function cliFiles(): Promise<Record<string, string>> {
  const document = openapiOf(operations, '', eventCatalogue) as unknown as ApiDocument
  return {
    'cli/generated/operations.ts': operationCommandsText(operations, document),
    'cli/generated/resources.ts': resourceNamesText(operations, document),
    'docs/cli.md': await cliPage(),
  }
}
