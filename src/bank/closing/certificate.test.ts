import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { choicesOfTest } from '../../../test/support/random.ts'
import { bankingDaysAfter, daysAfter } from '../../rails/ach/calendar.ts'
import { type Certificate, checkCertificate, checkChain, sha256Of, signedText, type Verdict } from './certificate.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')

/** The certificates of the banking days of a month; one day was reopened. */
function monthOf(): string[] {
  const files: string[] = []
  let previous: Certificate['previous'] = null
  let statement = 10_000_00
  for (let day = '2030-01-02'; day < '2030-02-01'; day = bankingDaysAfter(day, 1)) {
    const net = (day.charCodeAt(9) % 7) * 1_00 - 2_00
    const base = { day, previous, opening: statement, net }
    statement += net
    const text = certificateOf({ ...base, version: 1, replaces: null })
    files.push(text)
    if (day === '2030-01-16') files.push(reopened(base, text))
    previous = { day, sha256: sha256Of(files.at(-1) ?? '') }
  }
  return files
}

type Base = Pick<Certificate, 'day' | 'previous' | 'version' | 'replaces'> & { opening: number; net: number }

function reopened(base: Omit<Base, 'version' | 'replaces'>, first: string): string {
  return certificateOf({ ...base, version: 2, replaces: { sha256: sha256Of(first), because: 'A fee was booked' } })
}

function certificateOf({ day, previous, version, replaces, opening, net }: Base): string {
  const closing = opening + net
  const certificate: Certificate = {
    ...{ format: 'purser-closed-day-1', routingNumber: '061000146', account: '1', day, version, previous, replaces },
    closedAt: `${daysAfter(day, 1)}T15:00:00.000Z`,
    statements: [
      { asOf: day, page: 1, reference: '', names: {}, sha256: sha256Of(day), entries: 1, opening, net, closing },
    ],
    ledger: [
      { kind: 'ach_settlement', balance: -closing },
      { kind: 'customers', balance: closing },
    ],
    settlement: { statement: closing, ledger: closing, statementItems: 0, ledgerItems: 0 },
    ...{ items: [], heads: [] },
  }
  return signedText(certificate, privateKey)
}

const files = monthOf()
const verdicts = files.map((text) => checkCertificate(text, key))
const faultsOf = (some: Verdict[]) => checkChain(some).flatMap(({ faults }) => faults)

describe('The certificates of a month', () => {
  test('verify in any order, with both versions of a day that was reopened', () => {
    expect(files).toHaveLength(22)
    expect(faultsOf(verdicts)).toEqual([])
    expect(faultsOf(verdicts.toReversed())).toEqual([])
  })

  test('show every byte that is changed', () => {
    const { below } = choicesOfTest()
    const isFound = (at: number, place: number) => {
      const text = files[at] ?? ''
      const other = String.fromCharCode(text.charCodeAt(place) ^ 1)
      const changed = text.slice(0, place) + other + text.slice(place + 1)
      try {
        return faultsOf(verdicts.with(at, checkCertificate(changed, key))).length > 0
      } catch {
        // The file is no certificate at all.
        return true
      }
    }
    for (let place = 0; place < (files[3]?.length ?? 0); place++) expect(isFound(3, place), `byte ${place}`).toBe(true)
    for (let at = 0; at < files.length; at++) expect(isFound(at, below(files[at]?.length ?? 1))).toBe(true)
  })

  test('show every day that is left out, except at the ends', () => {
    const replaced = files.findIndex((text) => text.includes('"day": "2030-01-16"'))
    for (let at = 1; at < files.length - 1; at++) {
      const found = faultsOf(verdicts.filter((_, index) => index !== at))
      // The version that was reopened is no part of the chain: the valid ones verify without it.
      expect(found.length > 0, `file ${at}`).toBe(at !== replaced)
    }
  })

  test('show a forged balance, also if the operator’s own key has signed it', () => {
    const forge = (at: number, change: (certificate: Certificate) => unknown) => {
      const { certificate } = JSON.parse(files[at] ?? '') as { certificate: Certificate }
      change(certificate)
      return faultsOf(verdicts.with(at, checkCertificate(signedText(certificate, privateKey), key)))
    }
    for (const at of [0, 9, 20]) {
      expect(forge(at, ({ ledger }) => ledger[1] && ledger[1].balance++)).toContain(
        'the ledger differs from zero by 1 cents',
      )
      // All sums agree: the days before and after do not.
      const consistent = forge(at, ({ ledger, settlement, statements }) => {
        const [statement] = statements
        const [own, customers] = ledger
        if (!statement || !own || !customers) return
        for (const name of ['net', 'closing'] as const) statement[name]++
        for (const name of ['statement', 'ledger'] as const) settlement[name]++
        own.balance--
        customers.balance++
      })
      expect(consistent.length).toBeGreaterThan(0)
    }
  })
})
