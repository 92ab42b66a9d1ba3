import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { statementStyle } from '../../banking/statements/statement-html.ts'
import { Problem } from '../../base/problem.ts'
import { type Hosts, hostCheck } from '../hosts.ts'
import { refuseOtherMethods } from '../request/served-paths.ts'
import { sendFile } from '../send-file.ts'
import { type ConsoleFiles, PAGE } from './console-files.ts'

export interface ConsoleParts {
  hosts: Hosts
  /** The files of the console. They may still be in the making, and the making may fail. */
  files(): Promise<ConsoleFiles>
}

const PATH = '/console'

/** Serves the console, which needs no key itself: the page takes one from its user and sends it with each call. */
export function serveConsole(app: FastifyInstance, { hosts, files }: ConsoleParts): void {
  const onRequest = [protect, hostCheck(hosts)]
  for (const url of [PATH, `${PATH}/*`]) {
    app.get(url, { onRequest }, async (request, reply) => {
      const { '*': path = '' } = request.params as { '*'?: string }
      return answer(await available(files), path, request, reply)
    })
    refuseOtherMethods(app, url, ['GET', 'HEAD'])
  }
}

/** Each screen has an address, which only the page itself understands. */
function answer(files: ConsoleFiles, path: string, request: FastifyRequest, reply: FastifyReply) {
  const isAsset = path === 'assets' || path.startsWith('assets/')
  const file = files.get(isAsset ? path : PAGE)
  if (!file) throw new Problem('route_not_found', { detail: 'The console has no such file; load its page again.' })
  // The name of an asset changes with its contents.
  reply.header('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
  return sendFile(file, request, reply)
}

async function available(files: ConsoleParts['files']): Promise<ConsoleFiles> {
  try {
    return await files()
  } catch (error) {
    throw new Problem('unavailable', { detail: `The console could not be built. ${(error as Error).message}` })
  }
}

/** The preview of a statement is a frame of the console, under the policy of the console. */
const styleHash = `'sha256-${hash('sha256', statementStyle, 'base64')}'`

const protection = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styleHash}`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    'frame-src blob:',
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

function protect(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.headers(protection)
  done()
}
