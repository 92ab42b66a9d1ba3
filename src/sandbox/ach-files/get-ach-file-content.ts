import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Bytes } from '../../base/operation.ts'
import { sandboxRead } from '../sandbox.ts'

/** Sandbox. Reads the bytes of an ACH file. */
export const getAchFileContent = sandboxRead({
  id: 'getAchFileContent',
  resource: 'sandbox.achFiles',
  verb: 'getContent',
  path: '/v0/sandbox/ach-files/:achFileId/content',
  summary: 'Get content of ACH file',
  description:
    'Returns the bytes of an ACH file as they left or arrived: lines of 94 characters. The answer is the file itself, without the usual envelope. A person needs the scope `personal:read`, too.\n\nAn unknown id is refused with `ach_file_not_found`. A file that is still being built, was refused, or has more than 16 MiB has no content here (`ach_file_without_content`).',
  personal: true,
  params: Type.Object({ achFileId: Id('achFile') }),
  contentType: 'text/plain',
  data: Bytes,
  problems: ['ach_file_not_found', 'ach_file_without_content'],
  run: ({ sandbox, caller }, { params }) => sandbox.getAchFileContent(caller, params.achFileId),
})
