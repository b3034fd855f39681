/** Patterns of common browsers, in the order in which they are tried: most browsers name others, too. The group of a pattern is the version. */
export const browserPatterns = {
  WeChat: /MicroMessenger\/([\d.]*)/,
  Edge: /Edg\/([\d.]*)/,
  Opera: /OPR\/([\d.]*)|Opera/,
  'Samsung Internet': /SamsungBrowser\/([\d.]*)/,
  Firefox: /(?:Firefox|FxiOS)\/([\d.]*)/,
  Chrome: /(?:Chrome|CriOS)\/([\d.]*)/,
  Safari: /Safari\//,
}

/** Patterns of operating systems and devices, in the order in which they are tried. */
export const systemPatterns = {
  // WeChat names `WindowsWechat` on a Mac, too.
  Windows: /Windows\b/,
  iPhone: /iPhone/,
  iPad: /iPad/,
  Android: /Android/,
  macOS: /Mac OS X|Macintosh/,
  ChromeOS: /CrOS/,
  Linux: /Linux/,
}

const nameIn = (patterns: Record<string, RegExp>, text: string) =>
  Object.entries(patterns).find(([, pattern]) => pattern.test(text))?.[0]

/** Browser and system of a `User-Agent` header, as far as their names can be told from it. */
export const readAgent = (userAgent: string): { browser: string | undefined; system: string | undefined } => ({
  browser: nameIn(browserPatterns, userAgent),
  system: nameIn(systemPatterns, userAgent),
})
