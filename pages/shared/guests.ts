import { language, type Language } from './language/language.js'

/** The guests that are switched on and have something for pages, as the server wrote into the document. */
const names = (document.documentElement.dataset['guests'] ?? '').split(' ')

interface Module<Brought> {
  load: (language: Language) => Promise<Brought>
}

/** Loads what guests bring to a page, from their modules by path; those of others are not loaded. */
export const loadGuests = <Brought>(modules: Record<string, () => Promise<Module<Brought>>>): Promise<Brought[]> =>
  Promise.all(
    Object.entries(modules)
      .filter(([path]) => names.includes(/\/guests\/([^/]+)\//.exec(path)?.[1] ?? ''))
      .map(async ([, module]) => (await module()).load(language)),
  )
