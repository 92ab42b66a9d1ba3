import { randomNumbers } from '../../rewards/offers/sample-catalogue.ts'

/** The names, amounts and days of a scenario. */
export interface Plot {
  customer: string
  email: string
  /** The person who is paid, and who applies for an account. */
  payee: string
  payeeEmail: string
  /** Day of the month before on which the account was opened. */
  openedOn: number
  salary: number
  rent: number
  groceries: number
  coffee: number
  /** The amount of each debit. */
  topUp: number
}

const plain: Plot = {
  customer: 'Ada Example',
  email: 'ada@example.com',
  payee: 'Grace Sample',
  payeeEmail: 'grace@example.com',
  openedOn: 15,
  salary: 2_500_00,
  rent: 900_00,
  groceries: 64_20,
  coffee: 4_50,
  topUp: 150_00,
}

const firstNames = [
  'Ada',
  'Alan',
  'Barbara',
  'Dennis',
  'Edith',
  'Grace',
  'Ken',
  'Margaret',
  'Niklaus',
  'Radia',
  'Tim',
  'Tony',
]
const lastNames = ['Example', 'Instance', 'Mock', 'Model', 'Pattern', 'Sample', 'Specimen', 'Test']

/** The plot of a seed, which is the same every time; without a seed the plain one. */
export function plotOf(seed: number | undefined): Plot {
  if (seed === undefined) return plain
  const random = randomNumbers(seed)
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  const nameOf = () => {
    const names = [firstNames, lastNames].map((list) => list[between(0, list.length - 1)] as string)
    return { name: names.join(' '), email: `${names.join('.').toLowerCase()}@example.com` }
  }
  const [customer, payee] = [nameOf(), nameOf()]
  const salary = between(1_800_00, 4_200_00)
  return {
    customer: customer.name,
    email: customer.email,
    payee: payee.name,
    payeeEmail: payee.email,
    openedOn: between(1, 28),
    salary,
    rent: Math.floor((salary * between(25, 45)) / 100),
    groceries: between(20_00, 120_00),
    coffee: between(2_50, 9_50),
    topUp: between(25_00, 500_00),
  }
}
