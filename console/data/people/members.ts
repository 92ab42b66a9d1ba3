import { useQuery } from '@tanstack/react-query'
import { ask } from './person.ts'

/** A person with a role in the organisation, as those see it who manage persons. */
export interface Member {
  id: string
  name: string
  role: string
  signsIn: 'provider' | 'passkey' | 'invited'
  createdAt: string
  usedAt: string | null
  /** Whether it is the reader. */
  own: boolean
  /** Whether the reader may change the person. */
  may: boolean
}

export function useMembers() {
  return useQuery({ queryKey: ['people', 'list'], queryFn: () => ask<Member[]>('people/list') })
}
