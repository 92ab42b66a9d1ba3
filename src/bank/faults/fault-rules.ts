import { idNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, type PageQuery, pageWindow, toPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { EVENT_CHANNEL } from '../../events/announce.ts'
import type { CreateFaultRuleInput, FaultRule, SandboxFaults } from '../../sandbox/faults/fault-rule.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { type LoadedFaults, payloadOf } from './active-faults.ts'
import {
  announceRules,
  countActiveRules,
  deleteRules,
  deleteUsedUpRules,
  type FaultRuleRow,
  findFaultRule,
  hasAccount,
  insertFaultRule,
  listFaultRuleRows,
  lockFaultRules,
} from './fault-rules.sql.ts'

export interface FaultRuleParts extends Pick<BankParts, 'database' | 'ids' | 'runOnce'> {
  active: Pick<LoadedFaults, 'load'>
}

/** Rules of an organisation, and those of all organisations that are not used up: every process has them in memory. */
const MAX_RULES = 100
const MAX_OF_ALL = 10_000

export function faultRulesOf(parts: FaultRuleParts): SandboxFaults {
  return {
    createFaultRule: (write, input) => createFaultRule(parts, write, input),
    listFaultRules: (caller, query) => listFaultRules(parts, caller, query),
    getFaultRule: (caller, faultRuleId) => getFaultRule(parts, caller, faultRuleId),
    deleteFaultRule: (write, faultRuleId) => deleteFaultRule(parts, write, faultRuleId),
    deleteFaultRules: (write) => deleteFaultRules(parts, write),
  }
}

async function createFaultRule(
  { ids, runOnce, active }: FaultRuleParts,
  write: Write<FaultRule>,
  input: CreateFaultRuleInput,
): Promise<Answer> {
  const { organisationId } = write.caller
  const id = await ids.next()
  const answer = await runOnce.transaction(write, async (transaction) => {
    const { accountId } = input.match
    if (accountId !== undefined && !(await hasAccount(transaction, organisationId, idNumber(accountId)))) {
      throw new Problem('account_not_found')
    }
    await lockFaultRules(transaction)
    const { own, all } = await countActiveRules(transaction, organisationId)
    if (own >= MAX_RULES || all >= MAX_OF_ALL) throw new Problem('too_many_fault_rules')
    await deleteUsedUpRules(transaction, organisationId, MAX_RULES - 1)
    const row = await insertFaultRule(transaction, { id, organisationId, input })
    await announce(transaction, organisationId)
    return ruleOf(row)
  })
  await active.load(organisationId)
  return answer
}

async function listFaultRules(
  { database }: FaultRuleParts,
  { organisationId }: Caller,
  query: PageQuery,
): Promise<Page<FaultRule>> {
  const page = pageWindow(query)
  return toPage(await listFaultRuleRows(database, organisationId, page), page.limit, ruleOf)
}

async function getFaultRule(
  { database }: FaultRuleParts,
  { organisationId }: Caller,
  faultRuleId: string,
): Promise<FaultRule> {
  const row = await findFaultRule(database, organisationId, idNumber(faultRuleId))
  if (!row) throw new Problem('fault_rule_not_found')
  return ruleOf(row)
}

function deleteFaultRule(parts: FaultRuleParts, write: Write<null>, faultRuleId: string): Promise<Answer> {
  return remove(parts, write, async (transaction, organisationId) => {
    const count = await deleteRules(transaction, organisationId, idNumber(faultRuleId))
    if (count === 0) throw new Problem('fault_rule_not_found')
  })
}

function deleteFaultRules(parts: FaultRuleParts, write: Write<null>): Promise<Answer> {
  return remove(parts, write, async (transaction, organisationId) => {
    await deleteRules(transaction, organisationId, null)
  })
}

async function remove(
  { runOnce, active }: FaultRuleParts,
  write: Write<null>,
  work: (transaction: Queryable, organisationId: number) => Promise<void>,
): Promise<Answer> {
  const { organisationId } = write.caller
  const answer = await runOnce.transaction(write, async (transaction) => {
    await work(transaction, organisationId)
    await announce(transaction, organisationId)
    return null
  })
  await active.load(organisationId)
  return answer
}

/** Deletes the rules of an organisation that ends. */
export async function endFaultRules(transaction: Queryable, organisationId: number): Promise<void> {
  const count = await deleteRules(transaction, organisationId, null)
  if (count > 0) await announce(transaction, organisationId)
}

function announce(transaction: Queryable, organisationId: number): Promise<void> {
  return announceRules(transaction, EVENT_CHANNEL, payloadOf(organisationId))
}

function ruleOf({ id, fired, createdAt, ...row }: FaultRuleRow): FaultRule {
  const { match, effect, probability, times, seed } = row
  const remaining = times === null ? null : times - fired
  return { id: String(id), match, effect, probability, times, remaining, seed, createdAt }
}
