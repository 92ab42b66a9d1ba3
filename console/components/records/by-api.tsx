import { useState } from 'react'
import { type OperationId, operations } from '../../../client/src/index.ts'
import { type Language, languages, type SnippetInput, snippet } from '../../../ground/snippets.ts'
import { Copy } from '../display/copy.tsx'
import { Card } from '../layout/card.tsx'
import { Tabs } from '../layout/tabs.tsx'

const CHOSEN = 'purser.language'

/** The language of snippets, which is kept for this browser. */
export function useLanguage(): [Language, (language: Language) => void] {
  const [language, setLanguage] = useState<Language>(
    () => languages.find((each) => each === localStorage.getItem(CHOSEN)) ?? 'curl',
  )
  const choose = (chosen: Language) => {
    localStorage.setItem(CHOSEN, chosen)
    setLanguage(chosen)
  }
  return [language, choose]
}

/** A call as curl, as TypeScript and as a command. */
export function ByApi({ title, operation, input }: { title: string; operation: OperationId; input: SnippetInput }) {
  const [language, choose] = useLanguage()
  const text = snippet(language, operations[operation], input, location.origin)
  return (
    <Card
      title={title}
      aside={
        <span className="row">
          <Tabs label="Language" names={languages} chosen={language} choose={choose} />
          <Copy text={text} />
        </span>
      }
    >
      <pre>{text}</pre>
    </Card>
  )
}
