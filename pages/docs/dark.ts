import { readTheme } from '../shared/style/theme.js'

const system = matchMedia('(prefers-color-scheme: dark)')

/** Swagger UI knows a class, where the other pages ask the browser. */
const follow = (): void => {
  const theme = readTheme()
  document.documentElement.classList.toggle('dark-mode', theme === 'dark' || (theme === 'system' && system.matches))
}

system.addEventListener('change', follow)
follow()
