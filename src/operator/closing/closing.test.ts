import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger, makePayer } from '../../../test/support/ledger.ts'
import { advanceTo, openRailBank, sendPayments } from '../../../test/support/rails/leaving.ts'
import { type BankDay, baiFile, camtFile, testAccount } from '../../../test/support/rails/statements.ts'
import { operate, runInProcess } from '../../../test/support/run/command-line.ts'
import { databaseUrl } from '../../../test/support/service.ts'
import { type Certificate, signedText } from '../../bank/closing/certificate.ts'
import { readClosingState } from '../../bank/closing/lists.ts'
import { takeFolder } from '../../bank/closing/take-statement.ts'

const folder = mkdtempSync(join(tmpdir(), 'purser-closing-'))
const keys = generateKeyPairSync('ed25519')
let bank: TestBank

beforeAll(async () => {
  bank = await openRailBank(folder)
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
  rmSync(folder, { recursive: true })
})

const environment = () => ({
  DATABASE_URL: databaseUrl(bank.server),
  PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  PURSER_DATA_DIR: folder,
  PURSER_STATEMENT_ACCOUNT: testAccount,
  PURSER_CLOSING_KEY: keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  USER: 'ada',
})
const run = (...words: string[]) => operate(words, environment())
const fails = (...words: string[]) => expect(run(...words)).rejects
const take = (name: string, text: string, ...options: string[]) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return run('settlement', 'take', path, ...options)
}
const items = (...options: string[]) => run('settlement', 'items', ...options)
const open = async (text: string) => {
  const found = (await items()).filter(({ description }) => description.includes(text))
  expect(found, text).toHaveLength(1)
  return found[0]
}
const reasons = async (day: string): Promise<string[]> => (await run('day', 'show', day))[0].reasons
const saved = async (day: string, ...options: string[]) => {
  const { stdout } = await runInProcess(['day', 'show', day, ...options], { environment: environment() })
  const path = join(folder, `${day}${options.at(-1) ?? ''}.json`)
  writeFileSync(path, stdout)
  return path
}
const verified = async (...words: string[]) => {
  const { code, stdout } = await runInProcess(['day', 'verify', ...words], {})
  const verdicts = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { code, faults: verdicts.flatMap(({ faults }) => faults) as string[] }
}

const tuesday: BankDay = {
  ...{ asOf: '2030-02-05', opening: 10_000_00 },
  lines: [{ amount: 500_00, code: '142', text: 'ACH RECEIVED' }],
}
const wednesday: BankDay = {
  ...{ asOf: '2030-02-06', opening: 10_500_00, fileId: '2' },
  lines: [
    { amount: -50_00, code: '466', text: 'ACH SETTLEMENT BATCH 0000001' },
    { amount: -3_50, code: '698', text: 'FEES' },
  ],
}

describe('a bank that closes its days', () => {
  test('takes a statement once, and refuses one that cannot be trusted', async () => {
    await sendPayments(bank, [20_00, 30_00])
    await advanceTo(bank, '2030-02-06T15:00:00Z')
    expect(await take('1.bai', baiFile(tuesday))).toMatchObject([
      { state: 'taken', statements: [{ asOf: '2030-02-05', entries: 1, flags: [], effect: 'taken' }] },
    ])
    expect(await take('again.bai', baiFile(tuesday))).toMatchObject([{ state: 'already taken' }])
    // Another file with the same content is a second delivery.
    expect(await take('twice.bai', baiFile({ ...tuesday, fileId: '9' }))).toMatchObject([
      { statements: [{ effect: 'duplicate' }] },
    ])
    const refused = async (day: Partial<BankDay>) => (await take('x.bai', baiFile({ ...tuesday, ...day })))[0]
    expect(await refused({ closing: 1 })).toMatchObject({ state: 'refused', detail: /^balances: .* 1049999 cents/ })
    expect(await refused({ opening: 5 })).toMatchObject({ state: 'refused', detail: /other content was taken/ })
    expect(await refused({ account: '77' })).toMatchObject({ detail: /no statement is of the account/ })
    expect(await refused({ asOf: '2030-02-04' })).toMatchObject({ detail: /older than the first one/ })
    expect(await refused({ status: '2' })).toMatchObject({ detail: /take the file with --replace/ })
    expect(await refused({ status: '4' })).toMatchObject({ statements: [{ effect: 'test' }] })
    expect(await refused({ modifier: '3' })).toMatchObject({ statements: [{ effect: 'interim' }] })
    expect(await run('settlement', 'statements')).toHaveLength(9)
  })

  test('matches lines with movements, and says what keeps the day open', async () => {
    const all = await items('--day', '2030-02-05')
    expect(all.filter(({ match }) => match)).toMatchObject([
      { side: 'statement', amount: 500_00, reason: 'same amount and day, and no other like it' },
      { side: 'ledger', amount: 500_00 },
    ])
    expect(await reasons('2030-02-05')).toEqual([
      expect.stringMatching(/^the ledger does not have item \d+ of 2030-02-05, 1000000 cents, held at the bank before/),
    ])
    expect(await reasons('2030-02-06')).toEqual(
      expect.arrayContaining([
        'the day is not over in Eastern time: today is 2030-02-06',
        'the banking day 2030-02-05 is not closed yet',
        'no final statement of 2030-02-06 was taken',
      ]),
    )
    await fails('day', 'show', '2030-02-09').toThrow(/is no banking day/)
    await fails('day', 'close', '2030-02-30').toThrow(/a day has the form/)
  })

  test('books what the ledger does not know, and closes the day with a certificate', async () => {
    const { id } = await open('held at the bank')
    await fails('settlement', 'book', id, '--to', 'funding', '--reason', ' ').toThrow(/--reason takes/)
    await run('settlement', 'book', id, '--to', 'funding', '--reason', 'Reserve of the program')
    await fails('settlement', 'book', id, '--to', 'funding', '--reason', 'Again').toThrow(/was booked before/)
    expect(await items()).toMatchObject([{ side: 'ledger', amount: -50_00 }])
    expect(await run('day', 'close', '2030-02-05')).toEqual([
      { day: '2030-02-05', state: 'closed', version: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    await fails('day', 'close', '2030-02-05').toThrow(/is closed/)
    const { certificate } = JSON.parse(readFileSync(await saved('2030-02-05'), 'utf8')) as { certificate: Certificate }
    expect(certificate).toMatchObject({
      ...{ day: '2030-02-05', version: 1, previous: null, replaces: null, account: testAccount },
      ledger: expect.arrayContaining([{ kind: 'ach_settlement', balance: -500_00 }]),
      settlement: { statement: 10_500_00, ledger: 500_00, statementItems: 10_000_00, ledgerItems: 0 },
      items: [{ amount: 10_000_00, matchedOn: '2030-02-06', reason: 'booked by hand, ada: Reserve of the program' }],
      statements: [{ opening: 10_000_00, net: 500_00, closing: 10_500_00, entries: 1 }],
    })
    expect(certificate.heads.length).toBeGreaterThan(0)
    expect(await take('late.bai', baiFile({ ...tuesday, opening: 7 }))).toMatchObject([
      { state: 'refused', detail: expect.stringMatching(/which is closed: reopen it first/) },
    ])
  })

  test('names the cents of an error of the bank, until the bank corrects it', async () => {
    await advanceTo(bank, '2030-02-07T15:00:00Z')
    const [first, fee] = wednesday.lines as [BankDay['lines'][0], BankDay['lines'][0]]
    const wrong = { ...wednesday, lines: [{ ...first, amount: -5_00 }, fee] }
    await take('2.bai', baiFile(wrong))
    expect(await reasons('2030-02-06')).toEqual([
      expect.stringMatching(/^the ledger does not have item \d+ of 2030-02-06, -500 cents, 466 B1/),
      expect.stringMatching(/-350 cents, 698 B2 FEES \(a fee of the bank: book it\)$/),
    ])
    expect((await runInProcess(['day', 'close', '2030-02-06'], { environment: environment() })).code).toBe(1)
    const corrected = camtFile(wednesday)
    expect(await take('2.xml', corrected)).toMatchObject([{ state: 'refused' }])
    expect(await take('2.xml', corrected, '--replace', 'The bank corrects the amount')).toMatchObject([
      { statements: [{ effect: 'replaced', entries: 2 }] },
    ])
    expect(await items('--day', '2030-02-06')).toEqual(
      expect.arrayContaining([expect.objectContaining({ amount: -50_00, reason: 'same reference and amount' })]),
    )
    expect(await reasons('2030-02-06')).toHaveLength(1)
  })

  test('closes with an item for which somebody answers, which a person matches, splits or books later', async () => {
    const { id } = await open('FEES')
    await run('settlement', 'note', id, '--reason', 'Asked the bank')
    expect(await open('FEES')).toMatchObject({ owner: 'ada', note: 'Asked the bank' })
    expect(await run('day', 'close', '2030-02-06')).toMatchObject([{ state: 'closed' }])
    await fails('settlement', 'split', '--reason', 'Two fees', id, '--', '-300', '-51').toThrow(
      /the parts make -351 cents/,
    )
    await run('settlement', 'split', '--reason', 'Two fees', id, '--', '-300', '-50')
    const parts = await items()
    expect(parts).toMatchObject([
      { amount: -3_00, description: expect.stringMatching(`^part of ${id}: 698`) },
      { amount: -50 },
    ])
    await run('settlement', 'book', parts[0].id, '--to', 'fees', '--reason', 'Fees of January')
    await fails('settlement', 'match', parts[1].id, '--reason', 'Alone').toThrow(/two items at least/)
    const [line] = (await items('--day', '2030-02-06')).filter(({ amount }) => amount === -50_00)
    await run('settlement', 'unmatch', line.id, '--reason', 'To look at it')
    const [one, other] = (await items()).filter(({ amount }) => amount === -50_00)
    await fails('settlement', 'match', one.id, parts[1].id, '--reason', 'Wrong').toThrow(/differ by -?\d+ cents/)
    await run('settlement', 'match', one.id, other.id, '--reason', 'The batch of Tuesday')
    await run('settlement', 'book', parts[1].id, '--to', 'write-off', '--reason', 'Too small to ask')
    expect(await items()).toEqual([])
  })

  test('reopens the last day with a reason, and keeps both versions', async () => {
    await fails('day', 'reopen', '2030-02-05', '--reason', 'No').toThrow(/the last closed day is 2030-02-06/)
    const first = await saved('2030-02-06')
    await run('day', 'reopen', '2030-02-06', '--reason', 'The fee is booked now')
    expect(await run('day', 'close', '2030-02-06')).toMatchObject([{ version: 2 }])
    const second = JSON.parse(readFileSync(await saved('2030-02-06'), 'utf8')).certificate
    expect(second).toMatchObject({ version: 2, replaces: { because: 'The fee is booked now' } })
    expect(readFileSync(await saved('2030-02-06', '--certificate', '1'), 'utf8')).toContain('"version": 1')
    expect(await run('day', 'show')).toMatchObject([
      { day: '2030-02-05', state: 'closed', version: 1, hasStatement: true },
      { day: '2030-02-06', state: 'closed', version: 2, hasStatement: true },
    ])
    expect(first).toBe(join(folder, '2030-02-06.json'))
  })

  test('verifies certificates offline: a changed byte, a left-out day and a forged balance are found', async () => {
    await advanceTo(bank, '2030-02-08T15:00:00Z')
    await take('3.bai', baiFile({ asOf: '2030-02-07', opening: 10_446_50, lines: [], fileId: '3' }))
    expect(await run('day', 'close', '2030-02-07')).toMatchObject([{ state: 'closed' }])
    const files = [await saved('2030-02-05'), await saved('2030-02-06'), await saved('2030-02-07')]
    const publicKey = join(folder, 'public.pem')
    writeFileSync(publicKey, keys.publicKey.export({ format: 'pem', type: 'spki' }))
    expect(await verified(...files, '--key', publicKey)).toEqual({ code: 0, faults: [] })
    expect((await verified(files[0] ?? '', files[2] ?? '')).faults).toEqual([
      'the certificate of 2030-02-06 that it follows is not among the files',
    ])
    const change = (path: string, text: string) => {
      writeFileSync(path, text)
      return path
    }
    const text = readFileSync(files[1] ?? '', 'utf8')
    const other = join(folder, 'other.json')
    for (const [from, to] of [
      ['\n  "publicKey"', '\n   "publicKey"'],
      ['"version": 2', '"version": 3'],
      ['"purser-closed-day-1",', '"purser-closed-day-1", '],
    ] as const) {
      expect(text).toContain(from)
      expect((await verified(change(other, text.replace(from, to)))).faults.length, from).toBeGreaterThan(0)
    }
    const { certificate } = JSON.parse(text) as { certificate: Certificate }
    const forged = {
      ...certificate,
      ledger: certificate.ledger.map((each) => ({ ...each, balance: each.balance + 1 })),
    }
    const sums = await verified(change(other, signedText(forged, keys.privateKey)))
    expect(sums.faults).toEqual(
      expect.arrayContaining([expect.stringMatching(/^the ledger differs from zero by \d+ cents$/)]),
    )
    const another = generateKeyPairSync('ed25519').privateKey
    const signed = change(other, signedText(certificate, another))
    expect((await verified(signed)).faults).toEqual([])
    expect((await verified(signed, '--key', publicKey)).faults).toEqual(['another key has signed it'])
    expect((await verified(files[0] ?? '', signed, files[2] ?? '')).faults).toContain(
      'another key has signed it than the first day',
    )
    expect((await runInProcess(['day', 'verify', publicKey], {})).code).not.toBe(0)
  })

  test('takes statements from a folder, and leaves refused ones in another', async () => {
    await advanceTo(bank, '2030-02-11T15:00:00Z')
    const incoming = join(folder, 'statements')
    const form = { kinds: new Map(), account: testAccount, incoming }
    const log = { info: () => undefined, warn: () => undefined }
    expect(await takeFolder(bank.database, form, log)).toBe(0)
    mkdirSync(incoming)
    const given = { asOf: '2030-02-08', opening: 10_446_50, lines: [], fileId: '4' }
    writeFileSync(join(incoming, 'good.bai'), baiFile(given))
    writeFileSync(join(incoming, 'bad.bai'), baiFile({ ...given, closing: 1 }))
    writeFileSync(join(incoming, '.half.bai'), 'on its way')
    // A file that was changed a moment ago may still grow.
    expect(await takeFolder(bank.database, form, log)).toBe(0)
    for (const name of ['good.bai', 'bad.bai']) utimesSync(join(incoming, name), 0, 0)
    expect(await takeFolder(bank.database, form, log)).toBe(2)
    expect(readdirSync(incoming).sort()).toEqual(['.half.bai', 'done', 'refused'])
    expect(readdirSync(join(incoming, 'done'))).toEqual([expect.stringMatching(/^[0-9a-f]{8}-good\.bai$/)])
    expect(readdirSync(join(incoming, 'refused'))).toEqual([expect.stringMatching(/-bad\.bai$/)])
    expect(await readClosingState(bank.database)).toEqual({ days: 1, items: 0 })
  })

  test('lists movements of a weekend and a holiday with the banking day after them', async () => {
    await advanceTo(bank, '2030-02-16T15:00:00Z')
    await makePayer(bank, 40_00)
    await advanceTo(bank, '2030-02-20T15:00:00Z')
    expect(await items('--day', '2030-02-19')).toMatchObject([{ side: 'ledger', day: '2030-02-16', amount: 40_00 }])
    expect(await items('--day', '2030-02-16')).toHaveLength(1)
    for (const day of ['2030-02-15', '2030-02-17', '2030-02-20']) expect(await items('--day', day)).toEqual([])
  })

  test('needs the settings', async () => {
    const without = { ...environment(), PURSER_STATEMENT_ACCOUNT: '' }
    await expect(operate(['settlement', 'items'], without)).rejects.toThrow(/set PURSER_STATEMENT_ACCOUNT/)
    await expect(operate(['day', 'close', '2030-02-08'], { ...environment(), PURSER_CLOSING_KEY: '' })).rejects.toThrow(
      /set PURSER_CLOSING_KEY/,
    )
  })
})
