import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OptionValues } from '../../../ground/command-call.ts'
import { Refusal, UsageError } from '../../../ground/failure.ts'
import type { Life, StormApp, Subject } from '../../../storm/life.ts'
import type { StormFailure } from '../../../storm/storm.ts'
import type { TestKind } from '../../../storm/test-file.ts'
import type { Call, Command } from '../../command.ts'
import { parseJson } from '../../files.ts'

const kinds = ['vitest', 'node', 'pytest']

export const storm: Command = {
  path: 'storm',
  summary: 'Lives weeks of hostile but legal bank life against your app, and prints the shortest life that breaks it',
  description: `Starts your app against an empty bank, drives it, and lets the bank do what banks do: payments return, accounts freeze, webhooks come late and twice, requests get lost before and after the change, the app restarts, days and months pass. After each life it looks at the laws of your app. A life that breaks one is shortened, printed as a story, and stored as a file for --replay. At the end, a table counts what the app has met. Start the service with PURSER_ACH=windows: its payments then leave with ACH files, settle later, and come back by the rules.

The file is a module that exports \`subject\`, as \`storm\` of purser/testing takes it, or describes an app in any language as JSON: \`start\` (a program and its arguments; it listens on PORT and gets PURSER_URL, PURSER_API_KEY, PURSER_WEBHOOK_SECRET, STORM_LIFE and STORM_CUSTOMERS), \`webhooks\` (a path), \`actions\` (names with paths, called by POST with customer, number and amount), \`laws\` (a path that answers each law with true or a sentence), and if need be \`calm\` (a path for jobs that run now and then). Each life has an organisation of its own, which is deleted at its end. Exits with 1 if a law was broken.`,
  group: 'Develop',
  arguments: [{ name: 'file', description: 'Module or JSON file that describes the app' }],
  options: [
    { flags: '--seed <number>', description: 'Draw the lives of this seed again' },
    { flags: '--lives <number>', description: 'Lives to live; 100 by default' },
    { flags: '--days <number>', description: 'Most days of bank time in a life; 60 by default' },
    { flags: '--minutes <number>', description: 'End after this time; 5 by default' },
    { flags: '--replay <file>', description: 'Live one stored life, of a file or - for standard input' },
    { flags: '--write <kind>', description: 'Write the story that broke a law as a test, too', choices: kinds },
  ],
  examples: [
    { run: 'purser storm storm.json --lives 2 --seed 1', does: 'Lives two lives of a seed' },
    { run: 'purser storm storm.json --replay life.json', does: 'Lives a stored life again' },
  ],
  run,
}

async function run(call: Call): Promise<number | undefined> {
  const { args, options, settings, out } = call
  const path = resolve(args[0] ?? '')
  // Loaded when they are used only: they are large.
  const { stormAt, StormFailure } = await import('../../../storm/storm.ts')
  const subject = await subjectIn(path)
  const replay = await lifeFrom(call)
  const [seed, lives, days] = [numberIn(options, 'seed'), numberIn(options, 'lives'), numberIn(options, 'days')]
  const minutes = numberIn(options, 'minutes')
  const bank = { url: settings.url, purser: call.purser() }
  let found = false
  try {
    const survived = await stormAt(bank, subject, {
      ...{ seed, lives, days, replay },
      budgetMs: minutes && minutes * 60_000,
      progress: ({ lives: lived, failed }) => {
        if (failed && !found && !replay) out.note(`life ${lived} breaks a law; looking for the shortest one that does`)
        else if (lived % 10 === 0) out.note(found ? `${lived} lives, the later ones to shorten it` : `${lived} lives`)
        found ||= failed
      },
    })
    await out.records(survived.met, ['kind', 'met', 'times'])
    const { seed: drawn, lives: lived } = survived
    const drawnLives = `${lived} ${lived === 1 ? 'life' : 'lives'} of seed ${drawn}`
    out.note(`The app has survived ${replay ? 'the life' : drawnLives}.`)
    return undefined
  } catch (error) {
    if (!(error instanceof StormFailure)) throw error
    await show(call, error, path)
    return 1
  }
}

/** Prints the story and what the app has met, and stores the life and, if asked for, a test. */
async function show({ options, out }: Call, failure: StormFailure, path: string): Promise<void> {
  const { life, law, sentence, seed, story, met } = failure
  if (out.forPeople) {
    await out.records(met, ['kind', 'met', 'times'])
    out.line(`\n${failure.message}`)
  } else {
    out.record({ law, sentence, seed, life, story, met })
    out.note(failure.message)
  }
  if (typeof options.replay !== 'string') {
    const file = store('storm-life', '.json', `${JSON.stringify(life, null, 2)}\n`)
    out.note(`The life is in ${file}: live it again with --replay ${file}.`)
  }
  const kind = options.write
  if (typeof kind !== 'string') return
  const test = failure.testFile(kind as TestKind, `./${relative(process.cwd(), path)}`)
  const file = kind === 'pytest' ? store('test_storm', '.py', test) : store('storm-life', '.test.mjs', test)
  out.note(`The story as a test is in ${file}.`)
}

/** Stores a text, unless a file has it, under a name with the first free number: the life of another bug stays. Returns the name. */
function store(stem: string, ending: string, text: string): string {
  for (let number = 1; ; number++) {
    const name = `${stem}${number === 1 ? '' : `-${number}`}${ending}`
    if (existsSync(name) && readFileSync(name, 'utf8') !== text) continue
    writeFileSync(name, text)
    return name
  }
}

/** The app that a module exports, or that a JSON file describes. */
async function subjectIn(path: string): Promise<Subject<StormApp>> {
  try {
    if (path.endsWith('.json')) {
      const { commandApp } = await import('../../../storm/command-app.ts')
      return commandApp(path) as unknown as Subject<StormApp>
    }
    const { subject } = await import(pathToFileURL(path).href)
    if (typeof subject?.start !== 'function') throw new Error('it exports no `subject` with a function `start`')
    return subject
  } catch (error) {
    throw new Refusal(`${path} describes no app: ${(error as Error).message}`)
  }
}

async function lifeFrom({ options, input }: Call): Promise<Life | undefined> {
  const { replay } = options
  if (typeof replay !== 'string') return undefined
  const life = parseJson('--replay', replay === '-' ? await input() : readFileSync(replay, 'utf8')) as Life
  if (typeof life?.now !== 'string' || !Array.isArray(life.steps))
    throw new UsageError('--replay names no life of a storm')
  return life
}

function numberIn(options: OptionValues, name: 'seed' | 'lives' | 'days' | 'minutes'): number | undefined {
  const value = options[name]
  if (typeof value !== 'string') return undefined
  if (!/^\d{1,9}$/.test(value) || (name !== 'seed' && Number(value) === 0))
    throw new UsageError(`--${name} is a whole number${name === 'seed' ? '' : ' from 1 on'}`)
  return Number(value)
}
