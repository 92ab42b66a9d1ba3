import type { TSchema } from 'typebox'
import { languages, snippet } from '../../../ground/snippets.ts'
import { fileTypesOf, type Operation, routeOf, scopeWords } from '../../base/operation.ts'
import { refusals } from '../../base/refusals.ts'
import { exampleOf } from '../openapi/examples.ts'
import { codesOf } from '../openapi/problems.ts'
import { answerSchema, bodySchema, type NamedSchemas, parameterSchema } from '../openapi/schemas.ts'
import { memberLines, valueLines } from './schema-lines.ts'

/** The reference of one operation as Markdown. */
export function operationPage(operation: Operation): string {
  const scopes = scopeWords(operation)
  const parts = [
    `# ${operation.summary}`,
    `\`${operation.method} ${operation.path}\`, operation id \`${operation.id}\`. ${
      scopes ? `The key needs ${scopes}.` : 'Every key may call it.'
    }`,
    operation.description,
    parametersPart(operation),
    bodyPart(operation),
    answerPart(operation),
    problemsPart(operation),
    callsPart(operation),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const keyLine =
  '- `Idempotency-Key` (header): Makes the call safe to repeat: requests with the same key have one effect.'
const standbyLines = [
  '- `Prefer` (header): `stale=5` lets a standby answer whose state is at most 5 seconds old, if the service has one.',
  '- `Purser-Position` (header): Lets a standby answer that has this event of the organisation.',
]

function parametersPart({ params, query, method, fromStandby }: Operation): string | undefined {
  const schemas: NamedSchemas = {}
  const lines = [params, query].flatMap((schema) => {
    const required = (schema as { required?: string[] } | undefined)?.required ?? []
    return Object.entries(schema?.properties ?? {}).flatMap(([name, member]) =>
      valueLines(
        name,
        parameterSchema(member as TSchema, schemas),
        schemas,
        schema === params || required.includes(name),
      ),
    )
  })
  const all = [...lines, ...(method === 'POST' ? [keyLine] : []), ...(fromStandby ? standbyLines : [])]
  return all.length > 0 ? `## Parameters\n\n${all.join('\n')}` : undefined
}

function bodyPart(operation: Operation): string | undefined {
  if (!operation.body) return undefined
  const schemas: NamedSchemas = {}
  const schema = bodySchema('Body', operation.body, schemas)
  return `## Body\n\n${memberLines(schema, schemas).join('\n')}${exampleText(exampleOf(operation).request.body)}`
}

function answerPart(operation: Operation): string {
  const { status, data } = operation
  const types = fileTypesOf(operation)
  if (status === 204) return '## Answer\n\n204 without a body.'
  if (types.length > 0) {
    return `## Answer\n\n${status} with a file of the type ${types.map((type) => `\`${type}\``).join(', ')}.`
  }
  const schemas: NamedSchemas = {}
  const schema = answerSchema(data, schemas)
  const kind = schema.type === 'array' ? 'a list of records' : 'a record'
  const lines = memberLines(schema, schemas)
  const members = lines.length > 0 ? `:\n\n${lines.join('\n')}` : '.'
  return `## Answer\n\n${status} with \`{"data": …}\`, ${kind}${members}${exampleText(exampleOf(operation).response)}`
}

/** Longer examples say nothing more about the form. */
const MAX_EXAMPLE = 4_000

function exampleText(example: unknown): string {
  if (example === undefined) return ''
  const text = JSON.stringify(example, undefined, 2)
  return text.length > MAX_EXAMPLE ? '' : `\n\n\`\`\`json\n${text}\n\`\`\``
}

function problemsPart(operation: Operation): string {
  const own = operation.problems.map((code) => `- \`${code}\` (${refusals[code].status}): ${refusals[code].detail}`)
  const others = codesOf(operation, operation.method).filter((code) => !operation.problems.includes(code))
  const everywhere = `- as everywhere: ${[...new Set(others)].map((code) => `\`${code}\``).join(', ')}`
  return `## Problems\n\n${[...own, everywhere].join('\n')}\n\n[All codes](/docs/errors) with their meaning.`
}

function callsPart(operation: Operation): string {
  const { request } = exampleOf(operation)
  const calls = languages.map((language) => {
    const text = snippet(language, routeOf(operation), request, '$PURSER_URL')
    return `\`\`\`${language === 'TypeScript' ? 'ts' : 'sh'}\n${text}\n\`\`\``
  })
  return `## Calls\n\n${calls.join('\n\n')}`
}
