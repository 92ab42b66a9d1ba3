import { UsageError } from '../../ground/failure.ts'

/** The address of an app: a URL, `localhost:3000/hooks` for http, or a port of this machine. */
export function targetOf(text: string): URL {
  const isPort = /^:?\d{1,5}(\/|$)/.test(text)
  const whole = isPort ? `http://localhost:${text.replace(/^:/, '')}` : text
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(whole) ? whole : `http://${whole}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url?.hostname || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--forward-to takes an http or https address such as localhost:3000/hooks, not ${text}`)
  }
  if (url.username || url.password || url.hash) {
    throw new UsageError('--forward-to takes an address without user name, password and fragment')
  }
  return url
}
