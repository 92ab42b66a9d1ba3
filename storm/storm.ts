import * as fc from 'fast-check'
import type { Purser } from '../client/src/index.ts'
import { type Broken, type Life, live, type StormApp, type Subject } from './life.ts'
import { Met } from './met.ts'
import { drawSteps } from './steps.ts'
import { type TestKind, testFile } from './test-file.ts'

export interface StormOptions {
  /** The same seed draws the same lives; by default a new one. */
  seed?: number | undefined
  /** Lives to live; 100 by default. */
  lives?: number | undefined
  /** The most days of bank time in a life; 60 by default. */
  days?: number | undefined
  /** The most steps of a life; 30 by default. */
  steps?: number | undefined
  /** Milliseconds after which the storm ends; five minutes by default. */
  budgetMs?: number | undefined
  /** Lives this one life, and draws none. */
  replay?: Life | undefined
  /** Called after each life. Those after the first one that failed look for a shorter one. */
  progress?(lived: { lives: number; failed: boolean }): void
}

/** The outcome of a storm that the app has survived. */
export interface Survived {
  seed: number
  lives: number
  met: ReturnType<Met['rows']>
}

/** The shortest life that was found to break a law. Its message is the story. */
export class StormFailure extends Error {
  readonly seed: number
  readonly law: string
  readonly sentence: string
  readonly life: Life
  readonly story: string[]
  readonly met: ReturnType<Met['rows']>

  constructor(broken: Broken, found: { seed: number; life: Life; met: Met; isReplay: boolean }) {
    const { seed, life, met, isReplay } = found
    const past = life.history ? ` after ${life.history} transfers` : ''
    const steps = `${life.steps.length} ${life.steps.length === 1 ? 'step' : 'steps'}`
    super(
      [
        `${broken.law}: ${broken.sentence}`,
        '',
        `The life, ${steps}, which begins at ${life.now}${past}:`,
        ...broken.story,
        ...(isReplay ? [] : ['', `Seed ${seed}`]),
      ].join('\n'),
    )
    this.name = 'StormFailure'
    this.seed = seed
    this.law = broken.law
    this.sentence = broken.sentence
    this.life = life
    this.story = broken.story
    this.met = met.rows()
  }

  /** A test that lives this life again. The file is the module that exports the subject, or the JSON that describes the app. */
  testFile(kind: TestKind, file: string): string {
    return testFile(kind, { law: this.law, life: this.life, file })
  }
}

/** Beginnings of lives: before a change to and from daylight saving time, a month's end, a leap day, holidays, a plain week. */
const beginnings = [
  '2026-03-06T14:00:00Z',
  '2026-10-30T20:30:00Z',
  '2027-01-29T16:00:00Z',
  '2028-02-28T23:30:00Z',
  '2026-12-23T15:00:00Z',
  '2026-06-15T13:00:00Z',
]

const LIVES = 100
const HISTORY = 110
const STEPS = 30
const BUDGET_MS = 5 * 60_000

/**
 * Lives many lives of an app at the bank, until a law breaks or the time is over. Of a life that breaks a law it finds the shortest
 * one, and throws it as a StormFailure.
 */
export async function stormAt<App extends StormApp>(
  { url, purser: admin }: { url: string; purser: Purser },
  subject: Subject<App>,
  options: StormOptions = {},
): Promise<Survived> {
  const { seed = Math.floor(Math.random() * 2 ** 31), days, replay, progress } = options
  const { lives = LIVES, steps: most = STEPS, budgetMs = BUDGET_MS } = options
  const met = new Met()
  const end = Date.now() + budgetMs
  let lived = 0
  /** Lives a life. Returns the law that it breaks. */
  const brokenBy = async (life: Life, meets: Met): Promise<Broken | undefined> => {
    const broken = await live(subject, life, { url, admin, met: meets })
    lived++
    progress?.({ lives: lived, failed: broken !== undefined })
    return broken
  }
  const drawn = fc.record({
    now: fc.constantFrom(...beginnings),
    ...(days !== undefined && { days: fc.constant(days) }),
    // A second and more for the transfers: most lives need none.
    history: fc.constantFrom(...Array<number>(6).fill(0), HISTORY),
    steps: drawSteps(Object.keys(subject.actions), most),
  })
  const drawnLives = replay ? [replay] : fc.sample(drawn, { seed, numRuns: lives })
  for (const life of drawnLives) {
    if (Date.now() > end) break
    const broken = await brokenBy(life, met)
    if (!broken) continue
    // Parts of the same life are not counted: the app meets nothing new in them.
    const again = (shorter: Life) => brokenBy(shorter, new Met())
    const found = replay ? { life, broken } : await shortest(life, broken, again, () => Date.now() > end)
    throw new StormFailure(found.broken, { seed, life: found.life, met, isReplay: replay !== undefined })
  }
  return { seed, lives: lived, met: met.rows() }
}

/**
 * The shortest life that still breaks the same law: parts of it are left out, large ones first, as long as the law stays broken. The
 * shrinking of fast-check also tries smaller amounts and other values, which takes many more lives and makes no story shorter.
 */
async function shortest(
  life: Life,
  broken: Broken,
  brokenBy: (life: Life) => Promise<Broken | undefined>,
  isOver: () => boolean,
): Promise<{ life: Life; broken: Broken }> {
  let found = { life: withoutIdle(life, broken), broken }
  const isShorter = async (shorter: Life): Promise<boolean> => {
    const still = isOver() ? undefined : await brokenBy(shorter)
    if (still?.law !== broken.law) return false
    found = { life: withoutIdle(shorter, still), broken: still }
    return true
  }
  if (life.history) await isShorter({ ...found.life, history: 0 })
  for (let size = Math.ceil(found.life.steps.length / 2), again = false; size > 0; again = false) {
    for (let at = found.life.steps.length - size; at > -size; at -= size) {
      const { steps } = found.life
      const fewer = steps.filter((_step, place) => place < at || place >= at + size)
      if (fewer.length < steps.length && (await isShorter({ ...found.life, steps: fewer }))) again = true
    }
    size = size > 1 ? Math.floor(size / 2) : again ? 1 : 0
  }
  return found
}

/** The life without the steps that did nothing, and those after the broken law. The rest happens as before. */
function withoutIdle(life: Life, { done }: Broken): Life {
  return { ...life, steps: life.steps.filter((_step, at) => done.includes(at)) }
}
