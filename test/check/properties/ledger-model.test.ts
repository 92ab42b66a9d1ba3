import { testLedgerModel } from '../../properties/model-runs.ts'

testLedgerModel(process.env.SOAK ? 100 : 10)
