import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { operations } from '../../../../../client/src/index.ts'
import { languages, type SnippetInput, snippet } from '../../../../../ground/snippets.ts'
import { Copy } from '../../../../components/display/copy.tsx'
import { Reading } from '../../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../../components/feedback/problem.tsx'
import { Card } from '../../../../components/layout/card.tsx'
import { Dialog } from '../../../../components/layout/dialog.tsx'
import { Tabs } from '../../../../components/layout/tabs.tsx'
import { useLanguage } from '../../../../data/developers/language.ts'
import { useCall, useMay, useSession } from '../../../../data/purser.tsx'
import { type Described, type Document, plainSchema } from '../openapi.ts'
import { AnswerCard } from './answer.tsx'
import { type Draft, draftOf, readDraft } from './draft.ts'
import { Field, Fields, Folded, isFilled, type Place } from './fields.tsx'
import styles from './form.module.css'
import { initialDrafts, inputOf, typesIn } from './initial.ts'
import { sendOnce } from './send.ts'
import { useWorld } from './world.ts'

/** A form for an operation, filled with records of this organisation; the call as a text; and its answer. */
export function Try({ document, described }: { document: Document; described: Described }) {
  const types = useMemo(() => typesIn(document, described), [document, described])
  const world = useWorld(types)
  const hasClock = useMay('getClock')
  const { data: clock, error } = useCall('getClock', {})
  const now = clock?.now ?? (hasClock && !error ? undefined : new Date().toISOString())
  if (!world || !now) return <Reading lines={6} />
  return <FilledForm place={{ document, world }} described={described} now={now} />
}

function FilledForm({ place, described, now }: { place: Place; described: Described; now: string }) {
  const { document, world } = place
  const [drafts, setDrafts] = useState(() => initialDrafts(document, described, world, now))
  // The body as JSON, if the reader writes it by hand.
  const [json, setJson] = useState<string>()
  const read = useMemo(() => inputOf(document, described, drafts, json), [document, described, drafts, json])
  const queries = useQueryClient()
  const run = useMutation({
    mutationFn: (input: SnippetInput) => sendOnce(described.id, input),
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <>
      <Card title="Try it">
        <TryForm
          described={described}
          fault={read instanceof Error ? read.message : undefined}
          busy={run.isPending}
          run={() => !(read instanceof Error) && run.mutate(read)}
        >
          <ParameterFields
            place={place}
            title="Path"
            of={described.params}
            drafts={drafts.params}
            set={(params) => setDrafts({ ...drafts, params })}
          />
          <ParameterFields
            place={place}
            title="Query"
            of={described.query}
            drafts={drafts.query}
            set={(query) => setDrafts({ ...drafts, query })}
          />
          {described.body && drafts.body && (
            <BodyFields
              place={place}
              schema={described.body.schema}
              draft={drafts.body}
              set={(body) => setDrafts({ ...drafts, body })}
              json={json}
              setJson={setJson}
            />
          )}
        </TryForm>
        <ProblemNote error={run.error} />
      </Card>
      {run.data && <AnswerCard answer={run.data} described={described} />}
      <Snippet described={described} read={read} />
    </>
  )
}

/** Operations that cannot be undone. */
const final = /^(delete|close|reset|deny|reportLost|reportStolen|rotate)/

function TryForm({
  described: { id, method, title },
  fault,
  busy,
  run,
  children,
}: {
  described: Described
  fault: string | undefined
  busy: boolean
  run(): void
  children: React.ReactNode
}) {
  const { me } = useSession()
  const may = useMay(id)
  const [told, setTold] = useState<string>()
  const [asks, setAsks] = useState(false)
  const question = final.test(id)
    ? 'Nothing undoes this.'
    : method !== 'GET' && me.mode === 'live'
      ? 'This service is live.'
      : undefined
  const handle = (event: FormEvent) => {
    event.preventDefault()
    setTold(fault)
    if (fault !== undefined) return
    if (question === undefined) run()
    else setAsks(true)
  }
  return (
    <form className={styles.fields} onSubmit={handle} noValidate>
      {children}
      {told !== undefined && fault !== undefined && (
        <p role="alert" className="bad">
          {fault}
        </p>
      )}
      <div className={styles.end}>
        {!may && <span className="muted">This key may not call it here.</span>}
        <button type="submit" className="primary" disabled={busy || !may}>
          {busy ? 'Running…' : 'Run'}
        </button>
      </div>
      {asks && (
        <Dialog title={`${title}?`} close={() => setAsks(false)}>
          <p>{question}</p>
          <div className={styles.end}>
            <button
              type="button"
              className="primary"
              onClick={() => {
                setAsks(false)
                run()
              }}
            >
              {title}
            </button>
          </div>
        </Dialog>
      )}
    </form>
  )
}

function ParameterFields({
  place,
  title,
  of: parameters,
  drafts,
  set,
}: {
  place: Place
  title: string
  of: Described['params']
  drafts: Record<string, Draft>
  set(drafts: Record<string, Draft>): void
}) {
  if (parameters.length === 0) return null
  const field = (name: string) => {
    const parameter = parameters.find((each) => each.name === name)
    const draft = drafts[name]
    if (!parameter || !draft) return null
    const { schema, required } = parameter
    return (
      <Field
        key={name}
        place={place}
        name={name}
        schema={schema}
        required={required}
        draft={draft}
        set={(changed) => set({ ...drafts, [name]: changed })}
      />
    )
  }
  return (
    <>
      <div className={styles.part}>
        <h3>{title}</h3>
      </div>
      <Folded
        names={parameters.map(({ name }) => name)}
        first={(name) => parameters.some((each) => each.name === name && each.required) || isFilled(drafts[name])}
        field={field}
      />
    </>
  )
}

interface BodyProps {
  place: Place
  schema: NonNullable<Described['body']>['schema']
  draft: Draft
  set(draft: Draft): void
  json: string | undefined
  setJson(json: string | undefined): void
}

const views = ['Form', 'JSON'] as const

function BodyFields({ place, schema, draft, set, json, setJson }: BodyProps) {
  const { document } = place
  const plain = plainSchema(document, schema)
  const choose = (view: (typeof views)[number]) => {
    if (view === 'JSON') return setJson(json ?? textOf(document, schema, draft))
    if (json === undefined) return
    try {
      set(draftOf(document, schema, JSON.parse(json)))
      setJson(undefined)
    } catch {
      // A text that is no JSON stays on screen, and the form says so when it is sent.
    }
  }
  return (
    <>
      <div className={styles.part}>
        <h3>Body</h3>
        <Tabs label="Body as" names={views} chosen={json === undefined ? 'Form' : 'JSON'} choose={choose} />
      </div>
      {json !== undefined ? (
        <textarea
          aria-label="Body as JSON"
          rows={10}
          spellCheck={false}
          value={json}
          onChange={(event) => setJson(event.target.value)}
        />
      ) : draft.kind === 'object' ? (
        <Fields place={place} schema={plain} draft={draft} set={set} />
      ) : (
        <Field place={place} name="body" schema={schema} required draft={draft} set={set} />
      )}
    </>
  )
}

/** The body as JSON; that of a form with a fault is empty. */
function textOf(document: Document, schema: BodyProps['schema'], draft: Draft): string {
  try {
    return JSON.stringify(readDraft(document, schema, draft, '', true), undefined, 2)
  } catch {
    return '{}'
  }
}

/** The call that the form would send. */
function Snippet({ described: { id }, read }: { described: Described; read: SnippetInput | Error }) {
  const [language, choose] = useLanguage()
  const box = useRef<HTMLPreElement>(null)
  const [scrolls, setScrolls] = useState(false)
  const text = read instanceof Error ? undefined : snippet(language, operations[id], read, location.origin)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height.
  useEffect(() => {
    const { scrollHeight = 0, clientHeight = 0 } = box.current ?? {}
    setScrolls(scrollHeight > clientHeight)
  }, [text])
  return (
    <Card
      title="As code"
      aside={
        <span className="row">
          <Tabs label="Language" names={languages} chosen={language} choose={choose} />
          {text !== undefined && <Copy text={text} />}
        </span>
      }
    >
      {text === undefined ? (
        <p className="muted">{(read as Error).message}: the call follows when the form is complete.</p>
      ) : (
        <pre ref={box} className={styles.snippet} {...(scrolls && { tabIndex: 0 })}>
          {text}
        </pre>
      )}
    </Card>
  )
}
