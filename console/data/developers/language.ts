import { useState } from 'react'
import { type Language, languages } from '../../../ground/snippets.ts'

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
