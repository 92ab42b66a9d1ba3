import { Link, useLocation } from 'wouter'
import styles from './link-tabs.module.css'

/** The screens of one subject. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly { name: string; path: string }[] }) {
  const [here] = useLocation()
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ name, path }) => (
        <Link key={path} href={path} {...(path === here && { 'aria-current': 'page' as const })}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
