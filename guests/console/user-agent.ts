import Bowser from 'bowser'

// The library leaves parts that it does not know empty or out.
const textOf = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(' ')

/** The browser and operating system that a header `User-Agent` names, with versions; empty texts for unknown ones. */
export const readUserAgent = (userAgent: string): { browser: string; os: string } => {
  // The library refuses an empty text.
  if (userAgent === '') return { browser: '', os: '' }
  const { browser, os } = Bowser.parse(userAgent)
  return { browser: textOf(browser.name, browser.version), os: textOf(os.name, os.versionName ?? os.version) }
}
