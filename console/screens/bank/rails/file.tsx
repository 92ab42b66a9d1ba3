import type { AchFile } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { ShortList } from '../../../components/lists/short-list.tsx'
import { ByApi } from '../../../components/records/by-api.tsx'
import { money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useCall } from '../../../data/purser.tsx'
import { saveFile } from '../../../data/save-file.ts'
import { recordPath } from '../../../routes.ts'
import { batchColumns } from './batches.tsx'
import styles from './file.module.css'

const parent = { name: 'Files', path: '/rails/files' }

/** One ACH file of a sandbox: its lines, its batches and its totals. */
export function AchFileScreen({ id }: { id: string }) {
  const { data: file, error } = useCall('getAchFile', { params: { achFileId: id } })
  if (!file) {
    return (
      <>
        <PageTitle title={`File ${id}`} parent={parent} id={id} />
        {error ? <ProblemNote error={error} /> : <Reading lines={8} />}
      </>
    )
  }
  return (
    <>
      <PageTitle name={`File ${id}`} title={file.name} parent={parent} id={id}>
        <span>{file.direction}</span>
        <State of={file.status} />
      </PageTitle>
      <ProblemNote error={error} />
      <Content file={file} />
      <div className="columns">
        <div>
          {file.direction === 'Outgoing' && <Batches fileId={id} />}
          <ByApi title="The content by API" operation="getAchFileContent" input={{ params: { achFileId: id } }} />
        </div>
        <Facts file={file} />
      </div>
    </>
  )
}

function Facts({ file }: { file: AchFile }) {
  const { entryCount, credits, debits, createdAt, deliveredAt, sha256, direction } = file
  return (
    <Card title="Details">
      <Details
        items={[
          [direction === 'Outgoing' ? 'Cut-off' : 'Taken', <Time key="at" of={createdAt} />],
          ['Delivered', deliveredAt && <Time key="delivered" of={deliveredAt} />],
          ['Entries', entryCount.toLocaleString('en-US')],
          ['Credits', money(credits)],
          ['Debits', money(debits)],
          [
            'SHA-256',
            sha256 && (
              <span key="sha256" className={`mono ${styles.digest}`}>
                {sha256}
              </span>
            ),
          ],
        ]}
      />
    </Card>
  )
}

function Batches({ fileId }: { fileId: string }) {
  const list = useList('listAchBatches', { query: { fileId, limit: 100 } })
  return (
    <ShortList
      title="Batches"
      list={list}
      columns={batchColumns}
      keyOf={({ id }) => id}
      path={({ id }) => recordPath('achBatch', id)}
      empty="No batch"
      shown={100}
    />
  )
}

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
      {lines.length > SHOWN && (
        <p className="muted">{(lines.length - SHOWN).toLocaleString('en-US')} more lines are in the download.</p>
      )}
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
