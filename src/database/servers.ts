import type pg from 'pg'

/** Values of target_session_attrs that ask for a server that takes writes. */
const WRITABLE = ['any', 'read-write', 'primary']
/** The same for a standby. */
const STANDBY = ['any', 'read-only', 'standby', 'prefer-standby']

/**
 * The servers of a database URL. `postgres://user:secret@one:5432,two:5433/bank` and libpq's other form,
 * `postgres:///bank?host=one,two&port=5432,5433`, name several, of which the one that is a primary, or a standby, is used. The driver
 * accepts a single host only. Throws a TypeError that says what is wrong, without the URL: it holds a password.
 */
export function serversOf(databaseUrl: string, kind: 'primary' | 'standby' = 'primary'): pg.ClientConfig[] {
  const [, scheme, userInfo = '', authority = '', path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/)((?:[^@/]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/.exec(databaseUrl) ?? []
  if (!scheme) throw new TypeError('a postgres:// URL')
  const parameters = query.split('&').filter((parameter) => parameter !== '')
  const parameterOf = (name: string) =>
    parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1)
  requireAttributes(parameterOf('target_session_attrs'), kind)

  const hosts = parameterOf('host')?.replaceAll(/%2c/gi, ',').split(',')
  const ports = parameterOf('port')?.replaceAll(/%2c/gi, ',').split(',')
  const count = hosts?.length ?? 1
  if (ports && ports.length > 1 && ports.length !== count) {
    throw new TypeError('a postgres:// URL with one port, or one for each host')
  }
  const rest = parameters.filter((parameter) => !/^(target_session_attrs|host|port)=/.test(parameter))
  const serverOf = (address: string, own: string[]) => {
    const all = [...own, ...rest].join('&')
    const connectionString = `${scheme}${userInfo}${address}${path}${all && `?${all}`}`
    if (address !== '' && !URL.canParse(connectionString)) throw new TypeError('a postgres:// URL')
    return { connectionString }
  }
  const portOf = (position: number) => {
    const port = ports && (ports.length > 1 ? ports[position] : ports[0])
    return port ? [`port=${port}`] : []
  }
  if (hosts) return hosts.map((host, position) => serverOf(authority, [`host=${host}`, ...portOf(position)]))
  return authority.split(',').map((address, position) => serverOf(address, portOf(position)))
}

function requireAttributes(attributes: string | undefined, kind: 'primary' | 'standby'): void {
  if (attributes === undefined) return
  if (kind === 'standby' && !STANDBY.includes(attributes)) {
    throw new TypeError('a postgres:// URL of a standby: target_session_attrs=standby or none')
  }
  if (kind === 'primary' && !WRITABLE.includes(attributes)) {
    throw new TypeError('a postgres:// URL of servers that take writes: target_session_attrs=read-write or none')
  }
}
