import { useQuery } from '@tanstack/react-query'
import { useSession } from '../purser.tsx'
import { hasScope } from '../session.ts'
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

/** Whether the reader is a person who manages others. */
export function useManagesPeople(): boolean {
  const { person, key } = useSession().me
  return person !== undefined && hasScope(key, 'people:write')
}

/** The persons of the organisation, for those who may see them. */
export function useMembers() {
  const may = useManagesPeople()
  const queryFn = () => ask<Member[]>('people/list')
  const { data, error } = useQuery({ queryKey: ['people', 'list'], queryFn, enabled: may })
  return { may, data, error }
}
