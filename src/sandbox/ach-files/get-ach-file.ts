import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { sandboxRead } from '../sandbox.ts'
import { AchFile } from './ach-file.ts'

/** Sandbox. Shows an ACH file. */
export const getAchFile = sandboxRead({
  id: 'getAchFile',
  resource: 'sandbox.achFiles',
  verb: 'get',
  path: '/v0/sandbox/ach-files/:achFileId',
  summary: 'Get ACH file',
  description:
    'Returns an ACH file of the organisation. `GET /v0/banking/ach-batches?fileId=` lists the batches of an outgoing one, and `GET /v0/sandbox/ach-files/:achFileId/content` returns its bytes. An unknown id is refused with `ach_file_not_found`.',
  params: Type.Object({ achFileId: Id('achFile') }),
  data: AchFile,
  problems: ['ach_file_not_found'],
  run: ({ sandbox, caller }, { params }) => sandbox.getAchFile(caller, params.achFileId),
})
