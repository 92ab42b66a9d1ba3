import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { unknownMessage } from '../http/request/faults.ts'
import { refusedCall, type ToolResult, textResult } from './answer.ts'

/** A part of a page under one heading. */
interface Section {
  /** The name of the page with the heading's anchor: `webhooks#retries`; of its beginning, the name alone. */
  id: string
  page: string
  heading: string
  text: string
  /** Heading and text in lower case. */
  words: string
}

/** The pages of the folder `docs` and its guides, without the one on the tables of the database. */
export interface Documentation {
  sections(): Section[]
}

/** Reads the pages when they are first asked for: most processes are never asked. */
export function openDocumentation(folder: string): Documentation {
  let read: Section[] | undefined
  return {
    sections: () => {
      read ??= readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((file) => file.replaceAll(sep, '/'))
        .filter((file) => /^(guides\/)?[\w-]+\.md$/.test(file) && file !== 'schema.md')
        .sort()
        .flatMap((file) => sectionsOf(file.slice(0, -3), readFileSync(join(folder, file), 'utf8')))
      return read
    },
  }
}

function sectionsOf(page: string, text: string): Section[] {
  const sections: Section[] = []
  let isCode = false
  let open: { id: string; heading: string; lines: string[] } | undefined
  const close = () => {
    if (!open) return
    const body = open.lines.join('\n').trim()
    sections.push({ ...open, page, text: body, words: `${open.heading}\n${body}`.toLowerCase() })
  }
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, hashes, heading] = (!isCode && /^(#{1,3}) (.+)$/.exec(line)) || []
    if (heading) {
      close()
      open = { id: hashes === '#' ? page : `${page}#${anchorOf(heading)}`, heading, lines: [] }
    }
    open?.lines.push(line)
  }
  close()
  return sections
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-')
}

const MAX_TEXT = 20_000
const MAX_FOUND = 6
const MAX_EXCERPT = 400

/** Reads a page or a part of one, finds the parts that speak of something, or lists the pages. */
export function readDocumentation(
  documentation: Documentation,
  { page, query }: { page?: string; query?: string },
): ToolResult {
  const sections = documentation.sections()
  if (page !== undefined) return readPage(sections, page.replace(/^docs\/|\.md(?=#|$)/g, ''))
  if (query !== undefined) return found(sections, query)
  const pages = sections.filter(({ id, page: name }) => id === name)
  return textResult(
    `Pages, each to be read with page:\n${pages.map(({ id, heading }) => `- ${id}: ${heading}`).join('\n')}`,
  )
}

function readPage(sections: Section[], name: string): ToolResult {
  const own = sections.filter(({ id, page }) => (name.includes('#') ? id === name : page === name))
  if (own.length === 0) {
    const names = [...new Set(sections.map(({ id, page }) => (name.includes('#') ? id : page)))]
    return refusedCall(
      `${unknownMessage(name, names.length < 40 ? names : [])}. docs without arguments lists the pages.`,
    )
  }
  const text = own.map((section) => section.text).join('\n\n')
  if (Buffer.byteLength(text) <= MAX_TEXT) return textResult(text)
  const parts = own.map(({ id, heading }) => `- ${id}: ${heading}`)
  const start = own[0]?.text ?? ''
  return own.length > 1
    ? textResult(
        `The page is longer than 20 KB; read its parts one by one:\n${parts.join('\n')}\n\n${firstOf(start, 8_000)}`,
      )
    : textResult(firstOf(text, MAX_TEXT - 100))
}

/** The parts with the most of the words, those in headings first. */
function found(sections: Section[], query: string): ToolResult {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])].slice(0, 20)
  const scored = sections.map((section) => ({ section, score: scoreOf(section, words) }))
  const best = scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score)
  if (best.length === 0)
    return textResult('Nothing in the documentation has these words. docs without arguments lists the pages.')
  const texts = best
    .slice(0, MAX_FOUND)
    .map(({ section }) => `## ${section.id}: ${section.heading}\n${excerpt(section, words)}`)
  return textResult(`${texts.join('\n\n')}\n\nRead one with page, such as {"page":"${best[0]?.section.id}"}.`)
}

/** Words in the name of the page and in the heading count most; one that the text repeats counts up to three times. */
function scoreOf({ page, heading, words: text }: Section, words: string[]): number {
  const title = heading.toLowerCase()
  return words.reduce((sum, word) => {
    const repeated = Math.min(text.split(word).length - 1, 3)
    return sum + repeated + (repeated > 0 && page.includes(word) ? 2 : 0) + (title.includes(word) ? 4 : 0)
  }, 0)
}

/** The surroundings of the first word that the text has. */
function excerpt({ text }: Section, words: string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 100)
  return `${from > 0 ? '…' : ''}${firstOf(text.slice(from), MAX_EXCERPT)}`
}

function firstOf(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`
}
