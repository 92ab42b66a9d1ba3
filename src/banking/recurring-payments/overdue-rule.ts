/** The rule of runs that are more than a day late: all are made, only the last of each recurring payment, or none. */
export const overdueRules = ['all', 'once', 'skip'] as const
export type OverdueRule = (typeof overdueRules)[number]
