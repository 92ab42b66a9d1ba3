import type { ComponentType } from 'react'
import { ReviewApplications } from './applications.tsx'
import { ReviewPayments } from './payments.tsx'

/** The screens of reviewers. */
export const reviewPages: Record<string, ComponentType> = {
  '/review': ReviewApplications,
  '/review/payments': ReviewPayments,
}
