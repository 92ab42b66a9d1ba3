/*
 * An evaluator for the part of PromQL that deploy/prometheus/alerts.yml uses, over metrics that a test has read: selectors,
 * rate, increase, changes, max_over_time, histogram_quantile, sum, max and min by labels, division and comparison.
 */

type Labels = Record<string, string>
interface Sample {
  labels: Labels
  value: number
}
type Vector = Sample[]

/** The metrics of a process at a time, in seconds. */
export interface Scrape {
  at: number
  samples: Map<string, Vector>
}

export interface Rule {
  alert: string
  expr: string
  forSeconds: number
}

/** The rules of a file. */
export function rulesIn(text: string): Rule[] {
  return text
    .split(/^ +- alert: /m)
    .slice(1)
    .map((rule) => {
      const [alert = ''] = rule.split('\n')
      const of = (name: string) => new RegExp(`^ +${name}: (.+)$`, 'm').exec(rule)?.[1] ?? ''
      return { alert, expr: of('expr'), forSeconds: secondsOf(of('for') || '0s') }
    })
}

const units: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 }

function secondsOf(duration: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(duration) ?? []
  if (count === undefined) throw new Error(`${duration} is no duration`)
  return Number(count) * (units[unit] ?? 0)
}

/** Reads the text of metrics; `up` is 0 if nothing answered. */
export function scrapeOf(at: number, text: string | undefined, target: Labels): Scrape {
  const samples = new Map<string, Vector>([['up', [{ labels: target, value: text === undefined ? 0 : 1 }]]])
  for (const [, name = '', labels = '', value] of (text ?? '').matchAll(/^([a-z]\w*)(?:\{(.*)\})? (\S+)$/gm)) {
    const own = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', text = '']) => [label, text] as const)
    const vector = samples.get(name) ?? []
    samples.set(name, vector)
    vector.push({ labels: { ...Object.fromEntries(own), ...target }, value: Number(value) })
  }
  return { at, samples }
}

/** The alerts that fire at any of the times: their expression has held for as long as they ask. */
export function firing(rules: Rule[], scrapes: Scrape[]): string[] {
  return rules
    .filter(({ expr, forSeconds }) => {
      let since = new Map<string, number>()
      return scrapes.some(({ at }, index) => {
        const now = new Map<string, number>()
        for (const { labels } of evaluate(expr, scrapes.slice(0, index + 1))) {
          const key = JSON.stringify(labels)
          now.set(key, since.get(key) ?? at)
        }
        since = now
        return [...since.values()].some((begun) => at - begun >= forSeconds)
      })
    })
    .map(({ alert }) => alert)
}

/** The samples of an expression at the last of the times. */
export function evaluate(expr: string, scrapes: Scrape[]): Vector {
  const words = expr.match(/"[^"]*"|[\w.:]+|=~|!~|!=|==|>=|<=|[^\s\w]/g) ?? []
  const reader = { words, place: 0, scrapes }
  const result = comparison(reader)
  if (reader.place !== words.length) throw new Error(`${expr}: ${words[reader.place]} is not understood`)
  if (typeof result === 'number') throw new Error(`${expr} is a number`)
  return result
}

interface Reader {
  words: string[]
  place: number
  scrapes: Scrape[]
}

const peek = (reader: Reader) => reader.words[reader.place] ?? ''
const next = (reader: Reader) => reader.words[reader.place++] ?? ''

function expect(reader: Reader, word: string): void {
  const found = next(reader)
  if (found !== word) throw new Error(`${reader.words.join(' ')}: ${found} where ${word} is expected`)
}

const comparisons: Record<string, (one: number, other: number) => boolean> = {
  '>': (one, other) => one > other,
  '<': (one, other) => one < other,
  '==': (one, other) => one === other,
}

function comparison(reader: Reader): Vector | number {
  const left = quotient(reader)
  const compare = comparisons[peek(reader)]
  if (!compare) return left
  next(reader)
  const right = quotient(reader)
  if (typeof left === 'number' || typeof right !== 'number') throw new Error('a vector is compared with a number')
  return left.filter(({ value }) => compare(value, right))
}

function quotient(reader: Reader): Vector | number {
  const left = term(reader)
  if (peek(reader) !== '/') return left
  next(reader)
  const right = term(reader)
  if (typeof left === 'number' || typeof right === 'number') throw new Error('a vector is divided by a vector')
  return left.flatMap(({ labels, value }) => {
    const other = right.find((each) => isSame(each.labels, labels))
    return other ? [{ labels, value: value / other.value }] : []
  })
}

function isSame(one: Labels, other: Labels): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => one[name] === other[name])
}

const aggregations: Record<string, (values: number[]) => number> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
}
const overTime: Record<string, (values: number[], seconds: number) => number> = {
  rate: (values, seconds) => increaseOf(values) / seconds,
  increase: increaseOf,
  changes: (values) => values.filter((value, at) => at > 0 && value !== values[at - 1]).length,
  max_over_time: (values) => Math.max(...values),
}

/** A counter that falls was set back to 0. */
function increaseOf(values: number[]): number {
  return values.reduce((sum, value, at) => {
    const before = values[at - 1] ?? value
    return sum + (value >= before ? value - before : value)
  }, 0)
}

function term(reader: Reader): Vector | number {
  const word = next(reader)
  if (/^\d/.test(word)) return Number(word)
  const aggregate = aggregations[word]
  if (aggregate) return aggregation(reader, aggregate)
  const over = overTime[word]
  if (over) {
    expect(reader, '(')
    const result = ranged(reader, over)
    expect(reader, ')')
    return result
  }
  if (word === 'histogram_quantile') {
    expect(reader, '(')
    const share = Number(next(reader))
    expect(reader, ',')
    const buckets = comparison(reader) as Vector
    expect(reader, ')')
    return quantile(share, buckets)
  }
  const matches = matchers(reader)
  return (reader.scrapes.at(-1)?.samples.get(word) ?? []).filter(({ labels }) => matches(labels))
}

function aggregation(reader: Reader, aggregate: (values: number[]) => number): Vector {
  const by: string[] = []
  if (peek(reader) === 'by') {
    next(reader)
    expect(reader, '(')
    for (let word = next(reader); word !== ')'; word = next(reader)) if (word !== ',') by.push(word)
  }
  expect(reader, '(')
  const vector = comparison(reader) as Vector
  expect(reader, ')')
  const groups = grouped(vector, ({ labels }) =>
    JSON.stringify(by.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]]))),
  )
  return [...groups].map(([key, members]) => ({
    labels: Object.fromEntries(JSON.parse(key)),
    value: aggregate(members.map(({ value }) => value)),
  }))
}

function grouped(vector: Vector, keyOf: (sample: Sample) => string): Map<string, Vector> {
  const groups = new Map<string, Vector>()
  for (const sample of vector) groups.set(keyOf(sample), [...(groups.get(keyOf(sample)) ?? []), sample])
  return groups
}

/** A function over the samples of a selector within a time; a series with one sample has no rate. */
function ranged(reader: Reader, over: (values: number[], seconds: number) => number): Vector {
  const name = next(reader)
  const matches = matchers(reader)
  expect(reader, '[')
  const seconds = secondsOf(next(reader))
  expect(reader, ']')
  const { scrapes } = reader
  const now = scrapes.at(-1)?.at ?? 0
  const series = new Map<string, number[]>()
  for (const { at, samples } of scrapes) {
    if (at <= now - seconds) continue
    for (const { labels, value } of samples.get(name) ?? []) {
      if (!matches(labels)) continue
      const key = JSON.stringify(labels)
      series.set(key, [...(series.get(key) ?? []), value])
    }
  }
  return [...series].map(([key, values]) => ({ labels: JSON.parse(key), value: over(values, seconds) }))
}

function matchers(reader: Reader): (labels: Labels) => boolean {
  if (peek(reader) !== '{') return () => true
  next(reader)
  const all: ((labels: Labels) => boolean)[] = []
  while (peek(reader) !== '}') {
    if (peek(reader) === ',') next(reader)
    const [name, operator, quoted] = [next(reader), next(reader), next(reader)]
    const text = quoted.slice(1, -1)
    const pattern = new RegExp(`^(?:${text})$`)
    if (operator === '=~') all.push((labels) => pattern.test(labels[name] ?? ''))
    else if (operator === '!=') all.push((labels) => (labels[name] ?? '') !== text)
    else if (operator === '=') all.push((labels) => (labels[name] ?? '') === text)
    else throw new Error(`${operator} is not understood`)
  }
  next(reader)
  return (labels) => all.every((match) => match(labels))
}

/** The upper bound of the bucket in which a share of the observations lies, as far as a comparison needs it. */
function quantile(share: number, buckets: Vector): Vector {
  const groups = grouped(buckets, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  return [...groups].flatMap(([key, members]) => {
    const bounds = members
      .map(({ labels, value }) => ({ le: labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le), value }))
      .toSorted((one, other) => one.le - other.le)
    const total = bounds.at(-1)?.value ?? 0
    const found = bounds.find(({ value }) => value >= share * total)
    return total > 0 && found ? [{ labels: JSON.parse(key), value: found.le }] : []
  })
}
