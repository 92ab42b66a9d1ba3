// Generated from the operations by `npm run cli`. Do not edit.

/** The kinds of records with their commands. */
export const resources: readonly (readonly [name: string, commands: string])[] = [
  ["accounts", "create, reopen, get, list, close, freeze, unfreeze"],
  ["api-keys", "create, list, rotate, delete"],
  ["applications", "upload-document-back, create, get, list, upload-document-front"],
  ["audit-log", "list"],
  ["authorizations", "list, get"],
  ["cards", "create, replace, list, get, activate, freeze, unfreeze, close, report-lost, report-stolen"],
  ["customers", "create-verification-token, list, get"],
  ["deliveries", "list, get"],
  ["event-types", "list"],
  ["events", "list, get, redeliver"],
  ["external-accounts", "create, list, delete"],
  ["ledger", "list-accounts, list-transfers, list-flows, list-balances, get-verification, run-verification"],
  ["lookup", "get, find"],
  ["me", "get"],
  ["offers", "list-local, list-national"],
  ["partner-user-cards", "create, list, update"],
  ["partner-users", "list, create, update"],
  ["payments", "create, get, list"],
  ["requests", "list, get"],
  ["reward-payments", "list"],
  ["rewardable-transactions", "list, create"],
  ["rewards", "list, get, explain, get-daily-reconciliation"],
  ["sandbox", "organisations, faults, scenarios, customers, accounts, payments, applications, authorizations, clock, statements"],
  ["search", "find"],
  ["statements", "list, get, get-pdf"],
  ["transactions", "get, list"],
  ["webhook-endpoints", "create, list, get, update, delete, rotate-secret, test, recover, list-deliveries, verify"],
  ["zip-codes", "get"],
]

/** Members of records that hold cents. On a terminal they are shown in dollars. */
export const moneyMembers: readonly string[] = ["amount","available","balance","clawBacks","fundingBalance","hold","issuerAmount","payouts","userAmount"]
