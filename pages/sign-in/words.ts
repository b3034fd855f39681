import type { SignInWords } from '../words/en/sign-in.js'
import { language, type Language } from '../shared/language/language.js'
import { loadArrival } from './arrival.js'
import { setFrameWords } from '../shared/language/frame-words.js'

/** Each in a file of its own: only one is loaded. A further language is one more line. */
const tables = {
  en: () => import('../words/en/sign-in.js'),
  zh: () => import('../words/zh/sign-in.js'),
} satisfies Record<Language, unknown>

export let words: SignInWords

export const loadWords = async (): Promise<void> => {
  const [table] = await Promise.all([tables[language](), loadArrival()])
  words = table.words
  setFrameWords(table.frame)
}
