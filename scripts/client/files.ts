import { eventCatalogue } from '../../src/event-catalogue.ts'
import { openapiOf } from '../../src/http/openapi/document.ts'
import { operations } from '../../src/operations.ts'
import { apiText, operationsText, resourcesText } from './resources.ts'
import { type ApiDocument, typesText } from './types.ts'

/** The generated files of the client by their paths. */
export function clientFiles(): Record<string, string> {
  const document = openapiOf(operations, '', eventCatalogue) as unknown as ApiDocument
  return {
    'client/src/generated/operations.ts': operationsText(operations),
    'client/src/generated/types.ts': typesText(operations, document),
    'client/src/generated/resources.ts': resourcesText(operations, document),
    'client/api.md': apiText(operations, document),
  }
}
