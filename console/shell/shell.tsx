import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { waitingAt } from '../data/attention.ts'
import { count } from '../data/format.ts'
import { useList } from '../data/list.ts'
import { useReachable } from '../data/live.ts'
import { enterOrganisation } from '../data/people/person.ts'
import { useMenu, useSession } from '../data/purser.tsx'
import { useArrival } from './arrival.ts'
import { BankClock } from './bank-clock.tsx'
import { KeyboardHelp, useKeyboard } from './keyboard.tsx'
import { Palette } from './palette.tsx'
import styles from './shell.module.css'

/** The frame around every screen: header, menu, palette, the calls of the screen. */
export function Shell({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Opened>()
  // The calls stay beside the screen that they explain, also on the next one.
  const [calls, setCalls] = useState(false)
  const [path] = useLocation()
  const close = () => setOpen(undefined)
  const content = useRef<HTMLElement>(null)
  useArrival(path, content)
  useKeyboard({ palette: () => setOpen('palette'), calls: () => setCalls(!calls), keys: () => setOpen('keys') })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path closes the menu of narrow screens.
  useEffect(() => setOpen(undefined), [path])
  return (
    <div className={`${styles.shell} ${calls ? styles.withCalls : ''}`}>
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      <Header open={setOpen} menuOpen={open === 'menu'} calls={calls} setCalls={setCalls} />
      <Menu open={open === 'menu'} />
      <main ref={content} id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      {calls && (
        <Suspense>
          <CallDrawer close={() => setCalls(false)} />
        </Suspense>
      )}
      {open === 'palette' && <Palette close={close} />}
      {open === 'keys' && <KeyboardHelp close={close} />}
    </div>
  )
}

const CallDrawer = lazy(async () => ({ default: (await import('./call-drawer.tsx')).CallDrawer }))

type Opened = 'palette' | 'keys' | 'menu'

interface HeaderProps {
  open(what: Opened | undefined): void
  menuOpen: boolean
  calls: boolean
  setCalls(shown: boolean): void
}

function Header({ open, menuOpen, calls, setCalls }: HeaderProps) {
  const { me } = useSession()
  const reachable = useReachable()
  const live = me.mode === 'live'
  return (
    <header className={styles.header}>
      <button
        type="button"
        className={styles.menuButton}
        aria-expanded={menuOpen}
        onClick={() => open(menuOpen ? undefined : 'menu')}
      >
        Menu
      </button>
      <Link href="/" className={styles.brand}>
        Purser
      </Link>
      <span className={live ? styles.live : styles.sandbox}>{live ? 'LIVE' : 'SANDBOX'}</span>
      <span className={styles.organisation} title={me.organisation.name}>
        {me.organisation.name}
      </span>
      <Organisations />
      <span className={styles.away} role="status">
        {!reachable && 'The service does not answer'}
      </span>
      <button type="button" className={styles.find} onClick={() => open('palette')}>
        <span>Find a name, amount, last four, id…</span>
        <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <div className={styles.right}>
        <div className={styles.headerClock}>
          <BankClock />
        </div>
        <button
          type="button"
          aria-pressed={calls}
          onClick={() => setCalls(!calls)}
          title="The calls behind this screen"
        >
          API
        </button>
      </div>
    </header>
  )
}

/** Switches between the organisations in which the person has a role. */
function Organisations() {
  const { person } = useSession().me
  if (!person || person.organisations.length < 2) return null
  const { organisations } = person
  return (
    <select aria-label="Organisation" value="" onChange={(event) => enterOrganisation(event.target.value)}>
      <option value="">Switch…</option>
      {organisations.map(({ name, role }) => (
        <option key={name} value={name}>
          {name} ({role})
        </option>
      ))}
    </select>
  )
}

const isMac = navigator.userAgent.includes('Mac')

function Menu({ open }: { open: boolean }) {
  const { signOut, me } = useSession()
  const menu = useMenu()
  return (
    <nav className={`${styles.menu} ${open ? styles.menuOpen : ''}`} aria-label="Main">
      {menu.map(({ title, items }) => (
        <div key={title ?? 'home'}>
          {title && <h2>{title}</h2>}
          {items.map((item) => (
            <MenuLink key={item.path} name={item.name} path={item.path} />
          ))}
        </div>
      ))}
      <div className={styles.menuClock}>
        <BankClock />
      </div>
      {me.person ? (
        <p>
          <Link href="/access/person">
            {me.person.name}, {me.person.role}
          </Link>
        </p>
      ) : (
        <p className="muted">Key “{me.key.name}”</p>
      )}
      <button type="button" className="link" onClick={signOut}>
        {me.person ? 'Sign out' : 'Forget this key'}
      </button>
    </nav>
  )
}

function MenuLink({ name, path }: { name: string; path: string }) {
  const [here] = useLocation()
  const current = path === '/' ? here === '/' : here === path || here.startsWith(`${path}/`)
  return (
    <Link href={path} {...(current && { 'aria-current': 'page' as const })}>
      {name}
      <Waiting path={path} />
    </Link>
  )
}

/** How many records of a screen need a person. */
function Waiting({ path }: { path: string }) {
  const { rows } = useList('listAttention')
  const { count: number, isUrgent } = waitingAt(path, rows)
  if (number === 0) return null
  const does = path === '/webhooks' ? 'failing' : number === 1 ? 'waits' : 'wait'
  return (
    <span className={isUrgent ? 'bad' : 'warn'}>
      {count(number)} {does}
    </span>
  )
}
