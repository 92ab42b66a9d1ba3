// Generated from the operations by `npm run cli`. Do not edit.

/** The kinds of records with their commands. */
export const resources: readonly (readonly [name: string, commands: string])[] = [
  ["account-limits", "get, set"],
  ["accounts", "create, list, get, reopen, close, freeze, unfreeze"],
  ["ach-reconciliations", "get"],
  ["api-keys", "create, list, delete, rotate"],
  ["applications", "create, list, get, upload-document-back, upload-document-front"],
  ["audit-log", "list, head"],
  ["authorizations", "list, get"],
  ["cards", "create, list, get, replace, activate, freeze, unfreeze, close, report-lost, report-stolen"],
  ["customers", "list, get, create-verification-token"],
  ["deliveries", "list, get"],
  ["event-types", "list"],
  ["events", "list, get, redeliver"],
  ["external-accounts", "create, list, delete"],
  ["ledger", "list-accounts, list-transfers, list-flows, list-balances, get-verification, run-verification"],
  ["lookup", "get, find"],
  ["me", "get"],
  ["offers", "list-local, list-national"],
  ["partner-user-cards", "create, list, update"],
  ["partner-users", "create, list, update"],
  ["payments", "create, list, get, transfer, cancel"],
  ["processor-authorizations", "create, increment, advise, settle, reverse, refund"],
  ["processor-cards", "list, set-reference"],
  ["received-payments", "list, get, return"],
  ["requests", "list, get"],
  ["review-applications", "list, approve, deny, request-document"],
  ["review-documents", "get-content, approve, reject"],
  ["review-payments", "list, approve, reject"],
  ["reward-payments", "list"],
  ["rewardable-transactions", "create, list"],
  ["rewards", "list, get, explain, get-daily-reconciliation"],
  ["sandbox", "organisations, faults, scenarios, customers, accounts, payments, applications, authorizations, clock, statements"],
  ["search", "find"],
  ["statements", "list, get, get-pdf"],
  ["transactions", "list, get"],
  ["webhook-endpoints", "create, list, get, update, delete, rotate-secret, test, recover, list-deliveries, verify"],
  ["zip-codes", "get"],
]

/** Members of records that hold cents. On a terminal they are shown in dollars. */
export const moneyMembers: readonly string[] = ["amount","available","balance","clawBacks","credits","debits","difference","fundingBalance","hard","hold","issuerAmount","ledgerNet","left","limit","net","overdraft","payouts","pending","soft","used","userAmount"]
