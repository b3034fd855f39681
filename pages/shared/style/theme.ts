import { readStored, store } from '../stored.js'

/** Light, dark, or as the system says. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'rollcall-theme'

/** The choice of the person in this browser. */
export const readTheme = (): Theme => themes.find((theme) => theme === readStored(storageKey)) ?? 'system'

const show = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export const chooseTheme = (theme: Theme): void => {
  show(theme)
  store(storageKey, theme)
}

show(readTheme())
