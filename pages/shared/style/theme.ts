/** Light, dark, or as the system says. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'rollcall-theme'
const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value)

/** The choice of the person in this browser. */
export const readTheme = (): Theme => {
  try {
    const stored = localStorage.getItem(storageKey)
    return isTheme(stored) ? stored : 'system'
  } catch {
    return 'system'
  }
}

const show = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export const chooseTheme = (theme: Theme): void => {
  show(theme)
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // Where storage is forbidden, the choice lasts until the next page.
  }
}

show(readTheme())
