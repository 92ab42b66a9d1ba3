/** The headers of a webhook that its signature covers, and the signature. */
export const webhookHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/**
 * The headers of a webhook in a text that a person pasted: lines such as `webhook-id: evt_1`, also from curl or a log, or a
 * JSON object. Other headers are left out.
 */
export function headersIn(text: string): Record<string, string> {
  const found = jsonHeaders(text) ?? lineHeaders(text)
  return Object.fromEntries(
    webhookHeaders.flatMap((name) => {
      const value = found.find(([each]) => each.toLowerCase() === name)?.[1]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

type Pair = readonly [name: string, value: string]

function jsonHeaders(text: string): Pair[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null) return undefined
    return Object.entries(parsed).map(([name, value]) => [name, String([value].flat().join(' '))])
  } catch {
    return undefined
  }
}

function lineHeaders(text: string): Pair[] {
  return text.split('\n').flatMap((line) => {
    const match = /^[\s'"<>*-]*([\w-]+)['"]?\s*[:=]\s*(.*?)[\s'",\\]*$/.exec(line)
    return match ? [[match[1] ?? '', (match[2] ?? '').replace(/^['"]/, '')] as const] : []
  })
}
