import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { etagOf } from '../etag.ts'

/** The files of the console by their paths below /console: the page, and the assets that it loads. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

export interface ConsoleFile {
  body: Buffer
  type: string
  etag: string
  /** The contents in a content coding, each compressed when it is first asked for and then kept. */
  compressed: { [coding in Coding]?: Promise<Buffer> }
}

/** The content codings that are served, the smallest first. */
export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

export const PAGE = 'index.html'
const ASSETS = 'assets'

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** Takes the files of a build or, where there is none, reads those of a folder. */
export async function openConsoleFiles(folder: string, built?: Map<string, Buffer>): Promise<ConsoleFiles> {
  const contents = built ?? (await contentsOf(folder))
  const files = [...contents].flatMap(([path, body]) => {
    const type = types[path.split('.').at(-1) ?? '']
    return type === undefined ? [] : [[path, { body, type, etag: etagOf(body), compressed: {} }] as const]
  })
  return new Map(files)
}

async function contentsOf(folder: string): Promise<Map<string, Buffer>> {
  const names = await readdir(join(folder, ASSETS))
  // Another process may be writing a file under a name of its own, which has no type.
  const assets = names.filter((name) => (name.split('.').at(-1) ?? '') in types).map((name) => `${ASSETS}/${name}`)
  const read = async (path: string) => [path, await readFile(join(folder, path))] as const
  return new Map(await Promise.all([PAGE, ...assets].map(read)))
}

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }
/** The highest quality takes a second for a large file, and saves a twentieth. */
const options = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 }, level: 9 }

export function compressed(file: ConsoleFile, coding: Coding): Promise<Buffer> {
  file.compressed[coding] ??= compress[coding](file.body, options)
  return file.compressed[coding]
}
