import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matches } from './etag.ts'

/** A body that is the same for every request. */
export interface ServedFile {
  body: Buffer
  type: string
  etag: string
  /** The contents in a content coding, each compressed when it is first asked for and then kept. */
  compressed: { [coding in Coding]?: Promise<Buffer> }
}

/** The content codings that are served, the smallest first. */
const codings = ['br', 'gzip'] as const
type Coding = (typeof codings)[number]

export function servedFile(body: Buffer, type: string): ServedFile {
  return { body, type, etag: etagOf(body), compressed: {} }
}

/** Sends a file in the first content coding that the caller accepts, or 304 if it has the file already. */
export async function sendFile(file: ServedFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const coding = codingFor(request.headers['accept-encoding'])
  const etag = coding ? file.etag.replace(/"$/, `-${coding}"`) : file.etag
  reply.header('ETag', etag).header('Vary', 'Accept-Encoding')
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  reply.type(file.type)
  if (!coding) return reply.send(file.body)
  return reply.header('Content-Encoding', coding).send(await compressed(file, coding))
}

/** The first content coding that the caller accepts. */
function codingFor(accepted = ''): Coding | undefined {
  const weighed = accepted.split(',').map((each) => each.toLowerCase().replace(/\s/g, '').split(';'))
  const names = weighed.filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? '')).map(([name]) => name)
  return codings.find((coding) => names.includes(coding))
}

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }
/** The highest quality takes a second for a large file, and saves a twentieth. */
const options = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 }, level: 9 }

function compressed(file: ServedFile, coding: Coding): Promise<Buffer> {
  file.compressed[coding] ??= compress[coding](file.body, options)
  return file.compressed[coding]
}
