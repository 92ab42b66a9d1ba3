import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { TestContext } from 'vitest'
import { checkPackages, startBrowser } from './browser.ts'

const axe = readFileSync(checkPackages.resolve('axe-core/axe.min.js'), 'utf8')

export interface Variant {
  scheme: 'light' | 'dark'
  width: number
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
  { url, key, fragment = `key=${key}` }: { url: string; key?: string; fragment?: string },
  { scheme, width }: Variant = { scheme: 'light', width: 1440 },
): Promise<ConsolePage> {
  browser ??= startBrowser(context)
  const height = width === 390 ? 844 : 1_000
  const place = await (await browser).newContext({ colorScheme: scheme, viewport: { width, height } })
  const page = await place.newPage()
  page.setDefaultTimeout(20_000)
  const faults = await watch(place, page, url)
  await page.goto(`${url}/console#${fragment}`)
  await settled(page)
  const show = async (path: string) => {
    const target = JSON.stringify(`/console${path}`)
    await page.evaluate(`history.pushState(null, '', ${target}); dispatchEvent(new PopStateEvent('popstate'))`)
    await settled(page)
  }
  return { page, faults, show, close: () => place.close() }
}

/** Gives a page a device that keeps passkeys. */
export async function addDevice({ page }: ConsolePage) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  return { lose: () => devtools.send('WebAuthn.clearCredentials', { authenticatorId }) }
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

/** The widths at which every screen has to fit: desks, tablets and phones. */
const widths = [1440, 1280, 1024, 390]

/** Texts that are cut off or broken at the present width: figures and times, except in a place that scrolls. On a desk no list scrolls sideways. */
const cutTexts = `[
  ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []),
  ...[...document.querySelectorAll('main table[aria-rowcount]')].flatMap(({ parentElement: place, ariaLabel }) =>
    innerWidth >= 1024 && place.scrollWidth > place.clientWidth + 1 ? ['scrolls sideways: ' + ariaLabel] : []),
  ...[...document.querySelectorAll('main .number, main time')].flatMap((text) => {
    let shown = text.getBoundingClientRect()
    if (shown.width === 0 || text.closest('.unseen, details:not([open]) > :not(summary)')) return []
    const range = document.createRange()
    range.selectNodeContents(text)
    const written = range.getBoundingClientRect()
    for (let place = text.parentElement; place && place.tagName !== 'MAIN'; place = place.parentElement) {
      const { overflowX, clipPath } = getComputedStyle(place)
      // The heads of a table whose rows are cards are there for screen readers alone.
      if (overflowX === 'auto' || overflowX === 'scroll' || clipPath === 'inset(50%)') return []
      if (overflowX !== 'visible' && written.right > place.getBoundingClientRect().right + 1) return ['cut off: ' + text.textContent]
    }
    return written.right > innerWidth + 1 ? ['beyond the window: ' + text.textContent] : []
  }),
]`

/** The words of the interface that no person would write: those with a capital inside, with an underscore, or in capitals. */
const rawKinds = [...wordsOf(JSON.parse(readFileSync('openapi.json', 'utf8')))].filter((word) =>
  /^(?=.*([a-z][A-Z]|_|^[A-Z]{5}))\w+$/.test(word),
)

/** The choices of all enumerations in a description of the interface. */
function wordsOf(part: unknown): Set<string> {
  if (typeof part !== 'object' || part === null) return new Set()
  const own = (part as { enum?: unknown }).enum
  const words = Array.isArray(own) ? own.filter((word): word is string => typeof word === 'string') : []
  return new Set([...words, ...Object.values(part).flatMap((each) => [...wordsOf(each)])])
}

/** Words of the interface that the screen shows as they are. Codes of developers stand in a type of their own. */
const rawTexts = `(() => {
  // The reference explains them.
  if (location.pathname.startsWith('/console/reference')) return []
  const raw = new Set(${JSON.stringify(rawKinds)})
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  const found = []
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode
    if (parentElement.closest('code, pre, kbd, .mono, [class*=json], datalist, textarea, iframe')) continue
    // Types of events have a dot and stay as developers know them.
    for (const word of data.match(/[\\w.]+/g) ?? []) if (raw.has(word)) found.push('raw word: ' + word)
  }
  return [...new Set(found)]
})()`

/**
 * The faults of the present screen, as texts: accessibility, those that the browser reported, words that are not plain, and what
 * does not fit at one of the widths. `PICTURES` names a folder for pictures of the screen at each of them.
 */
export async function screenFaults({ page, faults }: ConsolePage, name?: string): Promise<string[]> {
  const found = [...(await accessibilityFaults(page)), ...((await page.evaluate(rawTexts)) as string[])]
  const own = page.viewportSize() ?? { width: 0, height: 0 }
  // A page opened at another width than the first has its twin at the first, which is looked at with all of them.
  const looked = own.width === widths[0] || process.env.PICTURES ? widths : [own.width]
  for (const width of looked) {
    await page.setViewportSize({ ...own, width })
    for (const cut of (await page.evaluate(cutTexts)) as string[]) found.push(`${cut} (${width})`)
    const path = process.env.PICTURES && name && `${process.env.PICTURES}/${name}-${width}.png`
    if (path) await page.screenshot({ path, fullPage: true })
  }
  await page.setViewportSize(own)
  return [...found, ...faults.splice(0)]
}
