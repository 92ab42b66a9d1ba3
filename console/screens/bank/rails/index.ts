import type { ComponentType } from 'react'
import { AchBatchScreen } from './batch.tsx'
import { AchBatches } from './batches.tsx'
import { AchFileScreen } from './file.tsx'
import { AchFiles } from './files.tsx'
import { ReceivedPaymentScreen } from './received-payment.tsx'
import { ReceivedPayments } from './received-payments.tsx'
import { AchReconciliationScreen } from './reconciliation.tsx'

/** The screens of the ACH rail without parameters. */
export const railPages: Record<string, ComponentType> = {
  '/rails': AchBatches,
  '/rails/received': ReceivedPayments,
  '/rails/files': AchFiles,
  '/rails/reconciliation': AchReconciliationScreen,
}

/** The screens of records of the ACH rail, by the path of their list. */
export const railRecords: Record<string, ComponentType<{ id: string }>> = {
  '/rails/batches': AchBatchScreen,
  '/rails/received': ReceivedPaymentScreen,
  '/rails/files': AchFileScreen,
}
