import type { Area } from '../../../screens.tsx'
import { Connect } from './connect.tsx'
import { Guide } from './guide.tsx'
import { Operation } from './operation.tsx'
import { Reference } from './reference.tsx'

/** The screens of the reference. */
export const reference: Area = {
  pages: { '/reference': Reference, '/reference/guides': Reference, '/reference/connect': Connect },
  records: {
    '/reference': Operation,
    '/reference/guides': ({ id }) => <Guide name={id} folder="guides" />,
    '/reference/pages': ({ id }) => <Guide name={id} folder="" />,
  },
}
