import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestBankOptions } from '../../../test/support/bank/options.ts'
import { times } from '../../../test/support/cards.ts'
import { openTestBank, type Reply, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount, makeApplication } from '../../../test/support/world.ts'
import type { Queryable } from '../../database/database.ts'

let bank: TestBank
/** Ends the wait of every statement that writes a file; undefined while files are written at once. */
let release: (() => void) | undefined
let released: Promise<void> | undefined
let writing = 0
let mostWriting = 0

function openBank(options: TestBankOptions): Promise<TestBank> {
  const watched = (queryable: Queryable): Queryable => ({
    query: async (text, values, use) => {
      if (!text.includes('insert into document_file')) return queryable.query(text, values, use)
      writing++
      mostWriting = Math.max(mostWriting, writing)
      try {
        await released
        return await queryable.query(text, values, use)
      } finally {
        writing--
      }
    },
  })
  return openTestBank({
    ...options,
    around: (database) => ({
      ...database,
      transaction: (work, options) => database.transaction((transaction) => work(watched(transaction)), options),
    }),
  })
}

beforeAll(async () => {
  bank = await openBank({ uploadWaitMs: 1_500 })
})
afterEach(() => release?.())
afterAll(() => bank.close())

/** Lets every upload wait in the middle of its transaction, until `release`. */
function holdWrites(): void {
  mostWriting = 0
  released = new Promise((resolve) => {
    release = () => {
      released = undefined
      resolve()
    }
  })
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

interface Names {
  applicationId: string
  documentId: string
}

const file = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n', 'latin1').toString('base64')

function upload({ applicationId, documentId }: Names, contentType = 'application/pdf', to = bank): Promise<Reply> {
  const path = `/v0/banking/applications/${applicationId}/documents/${documentId}/back`
  return to.call('POST', path, { body: { file, contentType } })
}

const filesOf = ({ documentId }: Names) =>
  bank.database.query(`select side from document_file where document_id = $1`, [documentId])

describe('twenty uploads at once', () => {
  test('take two connections of the ten, and the others of the organisation wait or are refused with 503', async () => {
    const account = await makeAccount(bank)
    const all = await times(20, () => makeApplication(bank))
    holdWrites()
    const refused: Reply[] = []
    const uploads = all.map(async (names) => {
      const reply = await upload(names)
      if (reply.status === 503) refused.push(reply)
      return reply.status
    })
    await until(() => writing === 2)
    const reads = await times(20, () => bank.call('GET', `/v0/banking/accounts/${account}`))
    expect(reads.filter(({ status }) => status === 200)).toHaveLength(20)
    await until(() => refused.length === 18)
    for (const { json, headers } of refused) expect([json.code, headers['retry-after']]).toEqual(['unavailable', '1'])
    release?.()
    expect((await Promise.all(uploads)).filter((status) => status === 201)).toHaveLength(2)
    expect(mostWriting).toBe(2)
  })

  test('succeed one after the other while each is written in time', async () => {
    const patient = await openBank({})
    const all = await times(20, () => makeApplication(patient))
    mostWriting = 0
    const replies = await Promise.all(all.map((names) => upload(names, 'application/pdf', patient)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(mostWriting).toBeLessThanOrEqual(2)
    await patient.close()
  })
})

describe('an upload whose bytes are being written', () => {
  test('does not hold the lock of its application, and is refused when the application is denied meanwhile', async () => {
    const names = await makeApplication(bank)
    holdWrites()
    const uploading = upload(names)
    await until(() => writing === 1)
    const denied = await bank.call('POST', `/v0/sandbox/applications/${names.applicationId}/deny`)
    expect([denied.status, denied.json.data.status]).toEqual([200, 'Denied'])
    release?.()
    expect((await uploading).json).toMatchObject({ status: 409, code: 'application_wrong_state' })
    expect(await filesOf(names)).toEqual([])
  })
})

describe('an upload that is refused', () => {
  test('is refused before its bytes are sent to the database', async () => {
    const names = await makeApplication(bank)
    const denied = await makeApplication(bank)
    await bank.call('POST', `/v0/sandbox/applications/${denied.applicationId}/deny`)
    mostWriting = 0
    const replies = [
      await upload({ ...names, applicationId: '1000' }),
      await upload({ ...names, documentId: denied.documentId }),
      await upload(denied),
      await upload(names, 'image/png'),
    ]
    expect(replies.map(({ status, json }) => `${status} ${json.code}`)).toEqual([
      '404 application_not_found',
      '404 document_not_found',
      '409 application_wrong_state',
      '422 content_type_mismatch',
    ])
    expect(mostWriting).toBe(0)
  })
})
