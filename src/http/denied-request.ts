import type { FastifyRequest } from 'fastify'
import type { DeniedRequest } from '../access/denials.ts'
import { sha256 } from '../base/sha256.ts'
import { knownHolder } from './authenticate.ts'

/** A request that was answered 401 or 403, for the audit log. One without a key belongs to no organisation. */
export function deniedRequest(request: FastifyRequest, status: number): DeniedRequest | undefined {
  if (status !== 401 && status !== 403) return undefined
  const holder = knownHolder(request)
  const key = request.headers['x-service-api-key']
  const keyHash = holder?.hash ?? (typeof key === 'string' ? sha256(key) : undefined)
  const { operationId } = request.routeOptions.config as { operationId?: string }
  if (keyHash === undefined || operationId === undefined) return undefined
  return {
    ...(holder && { organisationId: holder.organisationId }),
    keyHash,
    code: status === 401 ? 'unauthorized' : 'forbidden',
    operationId,
    path: request.url.split('?', 1)[0] ?? '',
    address: request.ip,
    requestId: request.id,
  }
}
