import type { Command } from './command.ts'
import { achExceptions } from './commands/ach/exceptions.ts'
import { achReconcile } from './commands/ach/reconcile.ts'
import { achResolve } from './commands/ach/resolve.ts'
import { achResume } from './commands/ach/resume.ts'
import { achTake } from './commands/ach/take.ts'
import {
  achAcknowledge,
  achCheck,
  achCompany,
  achDeliver,
  achDelivered,
  achList,
  achReject,
  achReverse,
  achShow,
} from './commands/ach.ts'
import { agentSetup } from './commands/agent-setup.ts'
import { api } from './commands/api.ts'
import { auditVerify } from './commands/audit.ts'
import { bench } from './commands/bench.ts'
import { clock, clockAdvance, clockNext, clockTo } from './commands/clock.ts'
import { dayClose, dayReopen, dayShow, dayVerify } from './commands/closing/day.ts'
import {
  settlementBook,
  settlementItems,
  settlementMatch,
  settlementNote,
  settlementSplit,
  settlementStatements,
  settlementTake,
  settlementUnmatch,
} from './commands/closing/settlement.ts'
import { completion } from './commands/completion.ts'
import { archive } from './commands/data/archive.ts'
import { attention } from './commands/data/attention.ts'
import { campaignOffersImport } from './commands/data/campaign-offers-import.ts'
import { cellsList, cellsRetire } from './commands/data/cells.ts'
import { contract } from './commands/data/contract.ts'
import { customersErase } from './commands/data/customers.ts'
import { drillRestore } from './commands/data/drill.ts'
import { exportRecords } from './commands/data/export.ts'
import {
  exportOrganisation,
  exportUnit,
  importRecords,
  keysIdentity,
  organisationsFormerIds,
} from './commands/data/organisation-files.ts'
import {
  organisationsCreate,
  organisationsLimits,
  organisationsList,
  organisationsMove,
} from './commands/data/organisations.ts'
import { paymentsBatch } from './commands/data/payments-batch.ts'
import { peopleInvite, peopleLink, peopleList, peopleRemove, peopleRole } from './commands/data/people.ts'
import { storm } from './commands/data/storm.ts'
import { doctor } from './commands/doctor.ts'
import { events } from './commands/events.ts'
import { get } from './commands/get.ts'
import { init } from './commands/init.ts'
import { keysCreate, keysGrant, keysList, keysRevoke, keysRotateEncryption } from './commands/keys.ts'
import { listen } from './commands/listen.ts'
import { logs } from './commands/logs.ts'
import { mcp } from './commands/mcp.ts'
import { migrate } from './commands/migrate.ts'
import { offersImport } from './commands/offers-import.ts'
import { open } from './commands/open.ts'
import { reset } from './commands/reset.ts'
import { scenario } from './commands/scenario.ts'
import { snapshotDelete, snapshotList, snapshotRestore, snapshotSave } from './commands/snapshot.ts'
import { start } from './commands/start.ts'
import { status } from './commands/status.ts'
import { trigger } from './commands/trigger.ts'
import { verify } from './commands/verify.ts'
import { login, logout } from './login/login.ts'

/** All commands that are written by hand, in the order of the help. */
export const commands: readonly Command[] = [
  // Service
  start,
  status,
  attention,
  doctor,
  open,
  ...[login, logout],
  completion,
  // Develop
  ...[listen, trigger, storm, events, logs],
  get,
  ...[clock, clockAdvance, clockTo, clockNext],
  scenario,
  api,
  ...[mcp, agentSetup],
  init,
  // Records
  paymentsBatch,
  campaignOffersImport,
  exportRecords,
  // Operate
  ...[keysCreate, keysList, keysGrant, keysRevoke, keysRotateEncryption, keysIdentity],
  ...[peopleInvite, peopleLink, peopleList, peopleRole, peopleRemove],
  offersImport,
  ...[snapshotSave, snapshotList, snapshotRestore, snapshotDelete],
  ...[
    achCheck,
    achTake,
    achExceptions,
    achResolve,
    achResume,
    achReconcile,
    achList,
    achShow,
    achDeliver,
    achDelivered,
    achAcknowledge,
    achReject,
    achReverse,
    achCompany,
  ],
  ...[
    settlementTake,
    settlementStatements,
    settlementItems,
    settlementMatch,
    settlementUnmatch,
    settlementSplit,
    settlementBook,
    settlementNote,
  ],
  ...[dayShow, dayClose, dayReopen, dayVerify],
  ...[verify, auditVerify],
  contract,
  migrate,
  archive,
  ...[exportOrganisation, exportUnit, importRecords],
  drillRestore,
  customersErase,
  ...[cellsList, cellsRetire],
  ...[organisationsList, organisationsCreate, organisationsMove, organisationsLimits, organisationsFormerIds],
  reset,
  bench,
]
