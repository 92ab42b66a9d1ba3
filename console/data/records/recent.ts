/** A record that was on screen. */
export interface Recent {
  type: string
  id: string
  name: string
}

const MOST = 8
/** The records of this tab: another key sees none of them. */
const KEPT = 'purser.recent'

/** The records that were on screen, the latest first. */
export function recentRecords(): Recent[] {
  return JSON.parse(sessionStorage.getItem(KEPT) ?? '[]')
}

export function noteRecent(seen: Recent): void {
  const others = recentRecords().filter(({ type, id }) => type !== seen.type || id !== seen.id)
  sessionStorage.setItem(KEPT, JSON.stringify([seen, ...others].slice(0, MOST)))
}

export function forgetRecent(): void {
  sessionStorage.removeItem(KEPT)
}
