import { type HistoryStep, isProblem, type LookedUp, type Purser } from '../../client/src/index.ts'
import { Refusal } from '../../ground/failure.ts'
import type { Output } from '../../ground/output.ts'
import { visible } from '../../ground/text.ts'
import type { Call, Command } from '../command.ts'

export const get: Command = {
  path: 'get',
  summary: 'Shows any record by its id, with its history, related records and possible actions',
  description:
    'Finds the record whatever its type is. If records of several types have the id, they are listed, and --type chooses one. Actions are the operations that change the record; those that its state forbids have a reason.',
  group: 'Develop',
  arguments: [{ name: 'id', description: 'Id of a record, or the request id of an answer' }],
  options: [{ flags: '--type <type>', description: 'Type of the record, such as payment' }],
  examples: [
    {
      run: 'purser get "$PAYMENT"',
      does: 'Shows a payment with what happened to it, its account, its transactions and its actions',
    },
    { run: 'purser get "$CARD" --type card', does: 'Shows the card with this id' },
  ],
  run: async (call) => {
    const found = await lookUp(call)
    if (found.length > 1) return listCandidates(call, found)
    const [record] = found as [LookedUp]
    const history = await historyOf(call.purser(), record)
    if (call.out.forPeople) await show(call.out, record, history)
    else call.out.record({ ...record, history })
  },
}

/** The steps of what happened to a record, the first hundred events; none if the key may not read events. */
async function historyOf(purser: Purser, { type, id }: LookedUp): Promise<HistoryStep[]> {
  try {
    return (await purser.history.list(type, id, { limit: 100 }).page()).data
  } catch (error) {
    if (isProblem(error) && error.code === 'forbidden') return []
    throw error
  }
}

/** The records with an id, of one type if `--type` names it. There is at least one. */
export async function lookUp({ purser, args, options }: Call): Promise<LookedUp[]> {
  const [id = ''] = args
  const { type } = options as { type?: LookedUp['type'] }
  if (type !== undefined) return [await purser().lookup.get(type, id)]
  const { data } = await purser().lookup.find({ id }).page()
  if (data.length === 0) throw new Refusal(`no record has the id ${id}`)
  return data
}

async function listCandidates({ out }: Call, found: LookedUp[]): Promise<void> {
  if (!out.forPeople) return out.records(found)
  await out.records(found, ['type', 'id', 'label'])
  out.note('Several records have this id: choose one with --type.')
}

async function show(
  out: Output,
  { type, id, label, record, related, actions }: LookedUp,
  history: HistoryStep[],
): Promise<void> {
  const { bold } = out.colors
  out.line(bold(visible(`${type} ${id}: ${label}`)))
  out.record(record)
  if (history.length > 0) out.line(`\n${bold('History')}`)
  await out.records(history.map(({ at, summary, cause }) => ({ at, what: summary, by: cause.apiKey?.name ?? 'bank' })))
  if (related.length > 0) out.line(`\n${bold('Related')}`)
  await out.records(related, ['relation', 'type', 'id'])
  if (actions.length > 0) out.line(`\n${bold('Actions')}`)
  const rows = actions.map(({ operation, allowed, problem }) => ({
    operation,
    possible: allowed === null ? 'the provider decides' : allowed ? 'yes' : `no: ${problem}`,
  }))
  await out.records(rows)
}
