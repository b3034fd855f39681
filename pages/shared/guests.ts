import { language, type Language } from './language/language.js'

/** The guests that are switched on and have something for pages, as the server wrote into the document. */
const names = (document.documentElement.dataset['guests'] ?? '').split(' ')

interface Module<Brought> {
  load: (language: Language) => Promise<Brought>
}

/**
 * Loads what guests bring to a page, from their modules by path; those of others are not loaded. The page begins without one that cannot be
 * loaded.
 */
export const loadGuests = async <Brought>(
  modules: Record<string, () => Promise<Module<Brought>>>,
): Promise<Brought[]> => {
  const loads = Object.entries(modules)
    .filter(([path]) => names.includes(/\/guests\/([^/]+)\//.exec(path)?.[1] ?? ''))
    .map(async ([, module]) => (await module()).load(language))
  const loaded = await Promise.allSettled(loads)
  return loaded.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}
