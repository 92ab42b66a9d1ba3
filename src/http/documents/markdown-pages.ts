import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A page of the documentation. */
export interface MarkdownPage {
  name: string
  title: string
  text: string
}

/** The written pages by their names. */
export interface MarkdownPages {
  /** Tasks step by step, in `docs/guides`. */
  guides: Map<string, MarkdownPage>
  /** The pages of `docs`, and the methods of the client. */
  pages: Map<string, MarkdownPage>
}

/** The page on the tables of the database is for those who change Purser. */
const INTERNAL = 'schema'

/** Reads the pages of the folder `docs`. */
export function readMarkdown(docs: string): MarkdownPages {
  const methods = pageOf('client-api', join(docs, '../client/api.md'))
  const pages = pagesOf(docs).filter(({ name }) => name !== INTERNAL)
  return { guides: byName(pagesOf(join(docs, 'guides'))), pages: byName([...pages, methods]) }
}

function pagesOf(folder: string): MarkdownPage[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
  return files.sort().map((file) => pageOf(file.slice(0, -'.md'.length), join(folder, file)))
}

function pageOf(name: string, path: string): MarkdownPage {
  const text = readFileSync(path, 'utf8')
  return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text }
}

function byName(pages: MarkdownPage[]): Map<string, MarkdownPage> {
  return new Map(pages.map((page) => [page.name, page]))
}
