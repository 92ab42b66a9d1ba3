import type { ComponentType } from 'react'
import { ReviewApplications } from './applications.tsx'
import { ReviewExternalAccounts } from './external-accounts.tsx'
import { ReviewPayments } from './payments.tsx'

/** The screens of reviewers. */
export const reviewPages: Record<string, ComponentType> = {
  '/review': ReviewApplications,
  '/review/external-accounts': ReviewExternalAccounts,
  '/review/payments': ReviewPayments,
}
