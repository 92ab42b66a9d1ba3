/** The columns of a hold under the names of its record. */
export const holdColumns = `id, organisation_id as "organisationId", account_id as "accountId",
  customer_id as "customerId", status, amount, reason, description, created_at as "createdAt",
  expires_at as "expiresAt", ended_at as "endedAt", by_bank as "byBank", version`
