import type { Figures, Ratio } from '../figures.ts'

/** A name, its value, its ratio, and whatever else. */
export type Row = [string, string | undefined, ...string[]]

export function lineOf([name, value = '', ...more]: Row): string {
  return `  ${name.padEnd(44)}${value.padStart(10)}  ${more.join('  ')}`.trimEnd()
}

export function amount(value: number | undefined, unit: string, per = 1): string | undefined {
  return value === undefined ? undefined : `${Math.round(value / per).toLocaleString('en')} ${unit}`
}

export function seconds(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${value.toFixed(1)} s`
}

export function latency(figures: Figures, name: string): string {
  return ['p50', 'p99'].map((part) => `${part} ${figures.median(`${name} ${part}`)?.toFixed(1)} ms`).join(', ')
}

export function shown(ratio: Ratio | undefined, over: string): string {
  if (!ratio || Number.isNaN(ratio.median)) return ''
  const { median, least, most } = ratio
  return `${median.toFixed(2)} × ${over} (${least.toFixed(2)}–${most.toFixed(2)})`
}
