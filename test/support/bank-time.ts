import type { TestBank } from './harness.ts'

export async function organisationNamed(bank: TestBank, name: string): Promise<number> {
  const [row] = await bank.database.query<{ id: number }>(`select id from organisation where name = $1::text`, [name])
  if (!row) throw new Error(`there is no organisation ${name}`)
  return row.id
}

/** Puts the clock of an organisation to a time. Before there is anything in it, that may lie in the past. */
export async function setBankTime(bank: TestBank, organisationId: number, time: string): Promise<void> {
  await bank.database.query(
    `update organisation set clock_offset = $2::timestamptz - date_trunc('milliseconds', clock_timestamp()) where id = $1::bigint`,
    [organisationId, time],
  )
}

/**
 * Puts the clocks of all organisations that there are to noon of the next day, so that the tests of a file are of one day of
 * bank time, also if they begin shortly before midnight.
 */
export async function setNoon({ database }: Pick<TestBank, 'database'>): Promise<void> {
  await database.query(
    `update organisation set clock_offset =
       date_trunc('day', clock_timestamp()) + interval '36 hours' - date_trunc('milliseconds', clock_timestamp())`,
  )
}

export async function bankTime(bank: TestBank, organisationId: number): Promise<string> {
  const [row] = await bank.database.query<{ time: string }>(`select bank_time($1::bigint) as time`, [organisationId])
  return row?.time ?? ''
}

/** Puts the clock forward and makes the turn of every month that is then over, as the clock itself does. */
export async function advanceBankTime(bank: TestBank, organisationId: number, time: string): Promise<void> {
  const { nextMonthTurn, turnMonth, finishTurn } = bank.monthTurns
  await setBankTime(bank, organisationId, time)
  for (;;) {
    const { period, dueAt } = await nextMonthTurn(organisationId)
    if (dueAt === undefined || dueAt > time) return
    await turnMonth(organisationId, period)
    await finishTurn(organisationId, period)
  }
}

/** Lets an account have been opened earlier, so that it has statements of the months since. */
export async function openedAt(bank: Pick<TestBank, 'database'>, accountId: string, time: string): Promise<void> {
  await bank.database.query(`update account set created_at = $2::timestamptz where id = $1::bigint`, [accountId, time])
}
