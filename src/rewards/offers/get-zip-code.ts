import { type Static, Type } from 'typebox'
import { invalidRequest } from '../../base/problem.ts'
import { recordsRead } from '../records/records.ts'
import { GeoLocation } from './offer.ts'

const form = /^[0-9]{5}(-[0-9]{4})?$/

const ZipCode = Type.Object(
  {
    zip: Type.String({ pattern: '^[0-9]{5}$', description: 'The five digits', examples: ['10001'] }),
    city: Type.String({ description: 'The city of the ZIP code', examples: ['New York'] }),
    state: Type.String({ description: 'Two letters', examples: ['NY'] }),
    geoLocation: GeoLocation,
  },
  { $id: 'ZipCode', description: 'A ZIP code with its centre, from which R1 measures distances' },
)
export type ZipCode = Static<typeof ZipCode>

/** Extension. Shows the place of a ZIP code. */
export const getZipCode = recordsRead({
  id: 'getZipCode',
  resource: 'zipCodes',
  verb: 'get',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/zip-codes/:zip',
  summary: 'Get ZIP code',
  description:
    'Returns the city, the state and the centre of a ZIP code. `GET /v0/rewards/reward-offers/local-reward-offers` lists the offers around this centre, even if a connector provides the offers. The last four digits of a ZIP+4 are ignored. A ZIP code without a place, such as one of the armed forces, counts as unknown.',
  status: 200,
  scope: 'rewards:read',
  fromStandby: true,
  params: Type.Object({
    zip: Type.String({ pattern: form.source, description: 'A ZIP code or ZIP+4', examples: ['10001'] }),
  }),
  data: ZipCode,
  problems: ['zip_code_not_found'],
  run: async ({ records, caller }, { params }) => {
    if (!form.test(params.zip)) {
      const message = 'zip has the wrong form; an example is 10001'
      throw invalidRequest([{ parameter: 'zip', code: 'bad_format', message }])
    }
    return records.getZipCode(caller, params.zip.slice(0, 5))
  },
})
