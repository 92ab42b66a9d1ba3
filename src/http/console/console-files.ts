import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ServedFile, servedFile } from '../send-file.ts'

/** The files of the console by their paths below /console: the page, and the assets that it loads. */
export type ConsoleFiles = ReadonlyMap<string, ServedFile>

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

/** Takes the files of a build or, if there is none, reads those of a folder. */
export async function openConsoleFiles(folder: string, built?: Map<string, Buffer>): Promise<ConsoleFiles> {
  const contents = built ?? (await contentsOf(folder))
  const files = [...contents].flatMap(([path, body]) => {
    const type = types[path.split('.').at(-1) ?? '']
    return type === undefined ? [] : [[path, servedFile(body, type)] as const]
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
