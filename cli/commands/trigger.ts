import { type EventType, isConnectionError, operations } from '../../client/src/index.ts'
import type { OptionValues } from '../../ground/command-call.ts'
import { Refusal, UsageError } from '../../ground/failure.ts'
import { suggestion } from '../../ground/nearest-name.ts'
import { wrapped } from '../../ground/text.ts'
import type { Call, Command } from '../command.ts'
import { type Played, playTrigger } from '../trigger/play.ts'
import { type Named, Stage } from '../trigger/stage.ts'
import { isTrigger, type RecordName, recordNames, type Trigger } from '../trigger/trigger.ts'
import { triggers } from '../trigger/triggers.ts'

const records = Object.entries(recordNames) as [RecordName, string][]

export const trigger: Command = {
  path: 'trigger',
  summary: 'Causes an event, on a record of yours or on new ones',
  description: `Calls the operations that lead to the event, waits until it is in the feed, and prints its number with the records that were made. Name a record of yours to use it; those that are missing are made. Without an argument, lists every event with the records that it takes.

With --dry-run it lists these operations. Events that only a connector reports cannot be triggered; the list says where they come from. Some events need bank time to move, which concerns all records of the organisation: they ask first, or take --advance.`,
  group: 'Develop',
  arguments: [
    {
      name: 'event',
      description: 'Type of the event, such as payment.returned',
      optional: true,
      completions: Object.keys(triggers),
    },
  ],
  options: [
    { flags: '--list', description: 'List every event, with a sentence and its options' },
    ...records.map(([name, flag]) => ({ flags: `${flag} <id>`, description: `Use this ${wordsOf(name)}` })),
    { flags: '--amount <cents>', description: 'Amount of the payment, charge or transfer, in cents' },
    { flags: '--advance', description: 'Allow bank time to move' },
  ],
  examples: [
    { run: 'purser trigger payment.returned', does: 'Makes a payment and returns it' },
    { run: 'purser trigger payment.returned --payment $PAYMENT', does: 'Returns a payment of yours' },
    { run: 'purser trigger authorization.created --card $CARD --amount 1250', does: 'Charges your card with 12.50' },
    {
      run: 'purser trigger statement.created --account $ACCOUNT --advance',
      does: "Moves to the month's end if need be",
    },
    { run: 'purser trigger --list', does: 'Lists every event' },
  ],
  run,
}

async function run(call: Call): Promise<void> {
  const { args, options, out } = call
  const [word] = args
  if (word === undefined || options.list) return list(call)
  if (!isEventType(word)) {
    throw new UsageError(
      `there is no event ${word}${suggestion(word, Object.keys(triggers))}; \`purser trigger\` lists all`,
    )
  }
  const entry = triggers[word]
  if (!isTrigger(entry)) throw new Refusal(`${word} cannot be triggered at the built-in bank. ${entry.from}`)
  const named = namedIn(word, entry, options)
  const amount = amountIn(options)
  if (call.dryRun) return showCalls(call, word, entry)
  const mayAdvance = (to: string) => allowed(call, to)
  const stage = new Stage(call.purser(), named, { ...(amount !== undefined && { amount }), mayAdvance })
  const played = await playTrigger(word, entry, stage)
  if (out.forPeople) show(call, played)
  else out.record(played)
}

/** The requests of a trigger. They are no curl commands, because each needs ids that the ones before it return. */
async function showCalls({ out }: Call, type: EventType, { does, calls }: Trigger): Promise<void> {
  if (!out.forPeople) return out.record({ type, does, calls })
  out.line(`${type}: ${does}`)
  await out.records(calls.map((operation) => ({ operation, request: operations[operation].slice(1, 3).join(' ') })))
  out.note('Requests that would make a record are left out if you name one.')
}

function isEventType(word: string): word is EventType {
  return Object.hasOwn(triggers, word)
}

/** The records that the options name. One that the event does not take is a mistake. */
function namedIn(type: EventType, { takes }: Trigger, options: OptionValues): Named {
  const named: Named = {}
  for (const [name, flag] of records) {
    const id = options[camel(flag)]
    if (typeof id !== 'string') continue
    if (!takes.includes(name)) {
      const flags = takes.map((each) => recordNames[each]).join(', ')
      throw new UsageError(
        `${type} takes ${flags ? `${flags}, not ${flag}` : `no record, so that ${flag} has no effect`}`,
      )
    }
    named[name] = id
  }
  return named
}

function amountIn({ amount }: OptionValues): number | undefined {
  if (amount === undefined) return undefined
  if (!/^[1-9]\d{0,14}$/.test(String(amount))) throw new UsageError(`--amount takes a number of cents, not ${amount}`)
  return Number(amount)
}

/** Bank time moves for all records of the organisation: only with the caller's consent. */
async function allowed({ options, out, confirm }: Call, to: string): Promise<boolean> {
  if (options.advance) return true
  return out.interactive && confirm(`Bank time moves to ${to}, for all records of the organisation. Go on?`)
}

function show({ out }: Call, played: Played): void {
  const { type, event, sequence, entity, made, secret } = played
  out.line(`${out.colors.green(type)}  ${event}  number ${sequence}, ${entity.type} ${entity.id}`)
  for (const { type: kind, id } of made) out.line(`  made ${kind} ${id}`)
  if (secret) out.line(`  secret ${secret}`)
}

async function list(call: Call): Promise<void> {
  const sentences = call.dryRun ? undefined : await sentencesOf(call)
  const rows = Object.entries(triggers).map(([type, entry]) => ({
    type,
    description: sentences?.get(type) ?? null,
    trigger: isTrigger(entry) ? entry.does : entry.from,
    options: isTrigger(entry) ? optionsOf(entry) : [],
  }))
  if (!call.out.forPeople) return call.out.records(rows)
  const { width, colors, line } = call.out
  const column = Math.max(...rows.map(({ type }) => type.length)) + 2
  for (const { type, trigger: does, options } of rows) {
    const room = Math.max(20, width - column)
    const [first, ...more] = wrapped(does, room)
    line(type.padEnd(column) + first)
    for (const each of more) line(' '.repeat(column) + each)
    for (const each of options.length > 0 ? wrapped(options.join(' '), room) : []) {
      line(' '.repeat(column) + colors.dim(each))
    }
  }
}

function optionsOf({ takes, movesTime }: Trigger): string[] {
  return [...takes.map((each) => recordNames[each]), ...(movesTime ? ['--advance'] : [])]
}

/** The sentences of the service's catalogue. The list is of use without a service, too. */
async function sentencesOf({ purser, out }: Call): Promise<Map<string, string> | undefined> {
  try {
    const kinds = await purser().eventTypes.list().page()
    return new Map(kinds.data.map(({ type, description }) => [type, description]))
  } catch (error) {
    if (!isConnectionError(error)) throw error
    out.note('The service cannot be reached: its descriptions of the events are missing.')
    return undefined
  }
}

function camel(flag: string): string {
  return flag.slice(2).replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())
}

function wordsOf(name: RecordName): string {
  return name === 'apiKey' ? 'API key' : name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
