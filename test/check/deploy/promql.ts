/** Words of PromQL that look like the names of metrics. */
const words = new Set(
  `abs and avg bool by ceil changes clamp_max clamp_min count delta floor group_left group_right histogram_quantile
  ignoring increase irate label_replace max max_over_time min min_over_time offset on or quantile rate round
  scalar sum time topk label_values job instance unless vector without`.split(/\s+/),
)

/** The metrics that a query reads. */
export function metricsOf(query: string): string[] {
  const plain = query
    .replace(/"(\\.|[^"\\])*"/g, '')
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, ' ')
    .replace(/\$\w+/g, ' ')
    .replace(/\b\d[\w.]*/g, ' ')
  const names = plain.match(/[a-zA-Z_:][\w:]*/g) ?? []
  return [...new Set(names.filter((name) => !words.has(name) && name !== 'up'))]
}

/** The queries of a dashboard (JSON) or of a file of rules (YAML). */
export function queriesIn(file: string, text: string): string[] {
  if (file.endsWith('.json')) return queriesOf(JSON.parse(text))
  return [...text.matchAll(/^ +expr: (.+)$/gm)].map(([, query = '']) => unquoted(query))
}

export function metricsIn(file: string, text: string): string[] {
  return [...new Set(queriesIn(file, text).flatMap(metricsOf))]
}

function queriesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    (name === 'expr' || name === 'definition') && typeof each === 'string' ? [each] : queriesOf(each),
  )
}

/** A text of YAML in single quotes, or without any. */
function unquoted(text: string): string {
  return /^'.*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text
}
