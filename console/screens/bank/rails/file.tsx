import type { AchFile } from '../../../../client/src/index.ts'
import { Time } from '../../../components/display/time.tsx'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { mono } from '../../../components/layout/details.tsx'
import { ShortList } from '../../../components/lists/list-screen.tsx'
import { recordScreen } from '../../../components/records/record-page.tsx'
import { count, money } from '../../../data/format.ts'
import { useCall } from '../../../data/purser.tsx'
import { saveFile } from '../../../data/save-file.ts'
import styles from './file.module.css'
import { batches } from './lists.tsx'

/** One ACH file of a sandbox: its lines, its batches and its totals. */
export const AchFileScreen = recordScreen('achFile', ({ id, record: file }) => ({
  name: `File ${id}`,
  title: file.name,
  beside: file.direction,
  state: file.status,
  first: <Content file={file} />,
  main: file.direction === 'Outgoing' && (
    <ShortList of={batches} query={{ fileId: id }} columns={fileColumns} none="No batch" shown={100} />
  ),
  details: {
    Delivered: file.deliveredAt && <Time of={file.deliveredAt} />,
    Entries: count(file.entryCount),
    Credits: money(file.credits),
    Debits: money(file.debits),
    'SHA-256': file.sha256 && mono(file.sha256),
  },
  without: ['achBatch'],
}))

const fileColumns = ['Purpose', 'State', 'SEC', 'Cut-off', 'Settles', 'Entries', 'Amount']

/** The kind of each line, by its first character. */
const kinds: Record<string, string> = {
  1: 'File header',
  5: 'Batch header',
  6: 'Entry',
  7: 'Addenda',
  8: 'Batch control',
  9: 'File control',
}
const PADDING = '9'.repeat(94)
/** Lines on screen. The download has all of them. */
const SHOWN = 400

function Content({ file: { id, name, status } }: { file: AchFile }) {
  const hasContent = status !== 'Building' && status !== 'Refused'
  const { data, error } = useCall('getAchFileContent', { params: { achFileId: id } }, { enabled: hasContent })
  if (!hasContent) return null
  const lines = data ? new TextDecoder('latin1').decode(data).split(/\r?\n/).filter(Boolean) : []
  return (
    <Card
      title="Content"
      aside={
        data && (
          <button type="button" className="link" onClick={() => saveFile(data, name, 'text/plain')}>
            Download
          </button>
        )
      }
    >
      <ProblemNote error={error} />
      {!data && !error && <Reading lines={6} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by the keyboard. */}
      <section className={styles.content} aria-label="Lines of the file" tabIndex={0}>
        <ol>
          {lines.slice(0, SHOWN).map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and their places do not change.
            <li key={at}>
              <Line text={line} />
            </li>
          ))}
        </ol>
      </section>
      {lines.length > SHOWN && <p className="muted">{count(lines.length - SHOWN)} more lines are in the download.</p>}
    </Card>
  )
}

function Line({ text }: { text: string }) {
  const kind = text === PADDING ? 'Padding' : (kinds[text.charAt(0)] ?? 'Unknown')
  return (
    <>
      <span className={styles.kind}>{kind}</span>
      <code className={styles[kind.replace(' ', '')]}>{text}</code>
    </>
  )
}
