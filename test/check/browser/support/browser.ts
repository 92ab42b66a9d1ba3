import { execFile } from 'node:child_process'
import { accessSync, constants, createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import type { Browser } from 'playwright-core'
import type { TestContext } from 'vitest'

export type { Page } from 'playwright-core'

/** Loads the packages of `npm run check`, also for programs that bundle this file: they run in the folder of the checkout. */
export const checkPackages = createRequire(join(process.cwd(), 'test/check/package.json'))

/** A program that can be started, with the environment that it needs. */
interface BrowserProgram {
  path: string
  env: Record<string, string>
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const onMac = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
const cure = 'there is no browser: install Chromium or Chrome, for example by apt-get install chromium'

/** Starts a browser for a test. If there is none, the test is skipped; in CI it fails. */
export async function startBrowser(context: TestContext): Promise<Browser> {
  const browser = await launchBrowser()
  if (!browser && process.env.CI === 'true') throw new Error(cure)
  return browser ?? context.skip(cure)
}

/**
 * Starts a browser without a window: an installed Chromium or Chrome, otherwise the one of the package @sparticuz/chromium,
 * which is for Linux on x64.
 */
export async function launchBrowser(): Promise<Browser | undefined> {
  const program = installedBrowser() ?? (await packagedBrowser())
  if (!program) return undefined
  const { chromium } = checkPackages('playwright-core') as typeof import('playwright-core')
  // The sandbox of Chromium refuses to run as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: program.path, args, env: { ...process.env, ...program.env } })
}

function installedBrowser(): BrowserProgram | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const path = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...onMac].find(isProgram)
  return path === undefined ? undefined : { path, env: {} }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Unpacks the browser of the package into a temporary folder, where later runs of the same user find it. */
async function packagedBrowser(): Promise<BrowserProgram | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const root = join(dirname(checkPackages.resolve('@sparticuz/chromium')), '../..')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const folder = join(tmpdir(), `purser-chromium-${version}-${process.getuid?.()}`)
  if (!existsSync(folder)) await unpack(join(root, 'bin'), folder)
  const path = join(folder, 'chromium')
  const missing = /not found/.test(await librariesOf(path))
  return { path, env: missing ? { LD_LIBRARY_PATH: join(folder, 'lib') } : {} }
}

/** Unpacks into another folder and renames it: two runs may start at the same moment, and one may be killed. */
async function unpack(packed: string, folder: string): Promise<void> {
  const draft = await mkdtemp(`${folder}-`)
  await decompress(join(packed, 'chromium.br'), join(draft, 'chromium'))
  await chmod(join(draft, 'chromium'), 0o755)
  // A folder `lib` with libraries for machines that lack them.
  const archive = join(draft, 'libraries.tar')
  await decompress(join(packed, 'al2023.tar.br'), archive)
  await promisify(execFile)('tar', ['-x', '-f', archive, '-C', draft])
  try {
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true })
    // Another run was faster.
    if (!existsSync(folder)) throw error
  }
}

async function decompress(packed: string, target: string): Promise<void> {
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(target))
}

async function librariesOf(path: string): Promise<string> {
  return (await promisify(execFile)('ldd', [path])).stdout
}
