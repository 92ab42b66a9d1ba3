/** A request's path and its query string, without the mark between them. */
export function addressOf(url: string): { path: string; search: string } {
  const at = url.indexOf('?')
  return at < 0 ? { path: url, search: '' } : { path: url.slice(0, at), search: url.slice(at + 1) }
}

/**
 * A URL in which the bytes of the path that are not UTF-8 stand as U+FFFD: the router would refuse the request, but such
 * an id is one that no record has. A malformed escape such as `%zz` stays, and is refused.
 */
export function withDecodablePath(url: string): string {
  if (!url.includes('%')) return url
  const { path } = addressOf(url)
  return (
    path.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => (isDecodable(escapes) ? escapes : '%EF%BF%BD')) +
    url.slice(path.length)
  )
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}
