import { Time } from '../../components/display/time.tsx'
import { mono } from '../../components/layout/details.tsx'
import { defineList } from '../../components/lists/list-screen.tsx'
import { count, words } from '../../data/format.ts'

export const events = defineList({
  title: 'Events',
  operation: 'listEvents',
  type: 'event',
  query: { sort: '-sequence', limit: 200 },
  scope: 'events:read',
  absent: 'This service has no feed of events.',
  columns: [
    { head: 'Type', cell: ({ type }) => mono(type) },
    { head: 'What', cell: ({ type }) => words(type), optional: true },
    { head: 'Record', cell: ({ entity }) => `${words(entity.type)} ${entity.id}` },
    { head: 'Version', cell: ({ entity }) => entity.version, number: true, wide: true },
    { head: 'Number', cell: ({ sequence }) => `#${count(sequence)}`, number: true, wide: true },
    { head: 'Bank time', cell: ({ timestamp }) => <Time of={timestamp} />, number: true, wide: true, card: 'when' },
  ],
  none: [
    'Nothing has happened yet',
    'Every change makes an event. Create a scenario to see some, or call createScenario.',
  ],
})
