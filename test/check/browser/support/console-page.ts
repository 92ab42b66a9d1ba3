import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { TestContext } from 'vitest'
import { checkPackages, startBrowser } from './browser.ts'

const axe = readFileSync(checkPackages.resolve('axe-core/axe.min.js'), 'utf8')

export interface Variant {
  scheme: 'light' | 'dark'
  width: 1440 | 390
}

/** The console in a browser, and everything that went wrong there. */
export interface ConsolePage {
  page: Page
  /** Errors of the browser's console, requests to other hosts, and violations of the content policy. */
  faults: string[]
  /** Shows another screen without loading the page anew, and waits until it has read its data. */
  show(path: string): Promise<void>
  close(): Promise<void>
}

let browser: Promise<Browser> | undefined

/** Opens the console with a key. The browser stays open for the other tests of the file. */
export async function openConsole(
  context: TestContext,
  { url, key }: { url: string; key: string },
  { scheme, width }: Variant = { scheme: 'light', width: 1440 },
): Promise<ConsolePage> {
  browser ??= startBrowser(context)
  const height = width === 390 ? 844 : 1_000
  const place = await (await browser).newContext({ colorScheme: scheme, viewport: { width, height } })
  const page = await place.newPage()
  page.setDefaultTimeout(20_000)
  const faults = await watch(place, page, url)
  await page.goto(`${url}/console#key=${key}`)
  await settled(page)
  const show = async (path: string) => {
    const target = JSON.stringify(`/console${path}`)
    await page.evaluate(`history.pushState(null, '', ${target}); dispatchEvent(new PopStateEvent('popstate'))`)
    await settled(page)
  }
  return { page, faults, show, close: () => place.close() }
}

export async function closeBrowser(): Promise<void> {
  const open = browser
  browser = undefined
  await (await open)?.close()
}

async function watch(place: BrowserContext, page: Page, url: string): Promise<string[]> {
  const faults: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`))
  page.on('request', (request) => {
    const address = request.url()
    if (!/^(blob|data):/.test(address) && !address.startsWith(url)) faults.push(`request to ${address}`)
  })
  await place.exposeBinding('noteViolation', (_source, text: string) => faults.push(text))
  await place.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    noteViolation('content policy: ' + violatedDirective + ' ' + blockedURI))`)
  return faults
}

/** Waits until nothing on screen is being read. */
async function settled(page: Page): Promise<void> {
  await page.waitForSelector('main:has(h1):not(:has([aria-busy="true"]))', { state: 'attached', timeout: 30_000 })
}

/** Rules of accessibility that the present screen breaks, as `rule: element`. Frames without an origin are closed to axe. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  // The types of results that are named have all their elements; describing the others took most of the time.
  return page.evaluate(`axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`)
}

/** The faults of the present screen, as texts: accessibility, its width, and those that the browser reported. */
export async function screenFaults({ page, faults }: ConsolePage): Promise<string[]> {
  const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  return [...(await accessibilityFaults(page)), ...(wide ? ['wider than the window'] : []), ...faults.splice(0)]
}
