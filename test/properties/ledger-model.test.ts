import { testLedgerModel } from './model-runs.ts'

// The check makes more of them.
testLedgerModel(3)
