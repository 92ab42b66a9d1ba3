import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const text = (words: string) => Buffer.concat([Buffer.from([0x60 | words.length]), Buffer.from(words)])
const bytes = (content: Buffer) =>
  Buffer.concat([Buffer.from([0x59, content.length >> 8, content.length & 255]), content])

/** A device that makes and uses passkeys as a browser asks for them. */
export function openAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0

  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const shared = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }

  function authenticatorData(rpId: string, flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
  }

  return {
    register({ challenge, rp }: { challenge: string; rp: { id: string } }, from = origin) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const point = [Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20]), Buffer.from(x, 'base64url')]
      const key = Buffer.concat([...point, Buffer.from([0x22, 0x58, 0x20]), Buffer.from(y, 'base64url')])
      const data = Buffer.concat([authenticatorData(rp.id, 0x45), Buffer.alloc(16), Buffer.from([0, 16]), id, key])
      const format = [text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), bytes(data)]
      const attestationObject = Buffer.concat([Buffer.from([0xa3]), ...format]).toString('base64url')
      const clientDataJSON = clientData('webauthn.create', challenge, from).toString('base64url')
      return {
        ...shared,
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject, transports: ['internal'] },
      }
    },
    signIn({ challenge, rpId }: { challenge: string; rpId: string }, from = origin) {
      const client = clientData('webauthn.get', challenge, from)
      const data = authenticatorData(rpId, 5)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url')
      const parts = { clientDataJSON: client.toString('base64url'), authenticatorData: data.toString('base64url') }
      return { ...shared, clientExtensionResults: {}, response: { ...parts, signature } }
    },
  }
}
