/** The part of autocannon that the benchmark uses; the package has no types. */
declare module 'autocannon' {
  export default function autocannon(options: {
    url: string
    connections: number
    duration: number
    timeout: number
    headers: Record<string, string>
    requests: { method: string; setupRequest(request: object): object }[]
  }): Promise<{
    '2xx': number
    non2xx: number
    errors: number
    timeouts: number
    duration: number
    latency: { p50: number; p99: number }
  }>
}
