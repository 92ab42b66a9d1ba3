import { useDeferredValue, useState } from 'react'
import { lastFour, money, words } from '../../data/format.ts'
import { useCall } from '../../data/purser.tsx'
import { type Choice, Combobox } from '../forms/combobox.tsx'
import styles from './filters.module.css'

interface Props {
  /** The id of the text field. */
  field: string
  type: string
  value: string
  set(id: string): void
}

/** Searches for a record by what people know of it. Its id is the value; any other id can be typed. */
export function Picker({ field, type, value, set }: Props) {
  const [typed, setTyped] = useState<string>()
  const name = useName(type, value)
  const { choices, isReady } = useChoices(type, typed)
  const choose = (id: string) => {
    setTyped(undefined)
    set(id)
  }
  return (
    <div className={styles.picker}>
      <Combobox
        id={field}
        text={typed || (typed === undefined ? name : '')}
        placeholder={name || 'All'}
        write={(text) => {
          setTyped(text)
          if (text === '' && value !== '') set('')
        }}
        choices={choices}
        // Choices of an earlier text are none of this one.
        choose={(choice) => isReady && choose(choice?.key ?? (typed ?? '').trim())}
        open={typed !== undefined}
        floats
        enter={() => setTyped('')}
        leave={() => setTyped(undefined)}
      />
    </div>
  )
}

/** The text that people know a record by; its id until it is read, and if it cannot be read. */
export function useName(type: string, id: string): string {
  const { data } = useCall('lookUpRecord', { params: { type: type as 'account', id } }, { enabled: id !== '' })
  return data?.label ?? id
}

const SHOWN = 8

function useChoices(type: string, typed: string | undefined): { choices: Choice[]; isReady: boolean } {
  const q = useDeferredValue(typed?.trim())
  const search = q ? { search: q } : {}
  const isOpen = q !== undefined
  const customers = useCall(
    'listCustomers',
    { query: { sort: '-createdAt', limit: SHOWN, ...search } },
    { enabled: isOpen && type === 'customer', keep: true },
  )
  const accounts = useCall(
    'listAccounts',
    { query: { sort: '-createdAt', limit: SHOWN, ...search } },
    { enabled: isOpen && type === 'account', keep: true },
  )
  const isOther = type !== 'customer' && type !== 'account'
  const others = useCall('search', { query: { q: q ?? '' } }, { enabled: Boolean(q) && isOther, keep: true })
  if (!isOpen) return { choices: [], isReady: false }
  const choices = [
    ...(customers.data ?? []).map(({ id, name, email }) => ({ key: id, text: name, detail: email ?? id })),
    ...(accounts.data ?? []).map(({ id, name, accountNumber, available }) => ({
      ...{ key: id, text: `${name} ${lastFour(accountNumber)}`, detail: money(available) },
    })),
    ...(others.data ?? [])
      .filter((each) => each.type === type)
      .map(({ id, label }) => ({ key: id, text: label, detail: `${words(type)} ${id}` })),
  ]
  const isReading = [customers, accounts, others].some(
    ({ isPlaceholderData, isLoading }) => isPlaceholderData || isLoading,
  )
  return { choices, isReady: q === typed?.trim() && !isReading }
}
