import { expect, test } from 'vitest'
import { actionForms } from '../../data/actions.ts'
import { initialText } from './form.tsx'

test('a choice that may be left out is left out until somebody chooses, and another one begins with its first option', () => {
  const options = [
    { value: 'Checking', label: 'Checking' },
    { value: 'Savings', label: 'Savings' },
  ]
  const field = { name: 'accountType', label: 'Kind of account', options }
  expect(initialText(field)).toBe('Checking')
  expect(initialText({ ...field, optional: true })).toBe('')
  expect(initialText({ ...field, optional: true, initial: 'Savings' })).toBe('Savings')
})

test('a form that changes a part of a record sends no choice that nobody made', () => {
  for (const form of [actionForms.updateExternalAccount, actionForms.updateCampaign, actionForms.updateCampaignOffer])
    expect(form?.fields?.map(initialText).filter(Boolean)).toEqual([])
})
