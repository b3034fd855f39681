import { browserPatterns, systemPatterns } from '../../lib/user-agent.js'

const versionPattern = /Version\/([\d.]*)/

/** In the order in which they are tried. The version is what `version` finds, else what `pattern` finds, else that of `Version/`. */
const browsers: [name: string, pattern: RegExp, version?: RegExp][] = [
  ['Googlebot', /Googlebot\/([\d.]*)/],
  ['BingCrawler', /bingbot\/([\d.]*)/],
  ['BaiduSpider', /Baiduspider\/([\d.]*)/],
  ['YandexBot', /YandexBot/],
  ['Opera', browserPatterns.Opera],
  ['Opera', /OPiOS\/([\d.]*)/],
  ['Samsung Internet for Android', browserPatterns['Samsung Internet'], versionPattern],
  ['NAVER Whale Browser', /Whale\/([\d.]*)/, versionPattern],
  ['Pale Moon', /PaleMoon\/([\d.]*)/],
  ['HeyTap Browser', /HeyTapBrowser\/([\d.]*)/],
  ['Vivo Browser', /VivoBrowser\/([\d.]*)/],
  ['MZ Browser', /MZBrowser\/([\d.]*)/],
  ['Focus', /Focus\/([\d.]*)/],
  ['Opera Touch', /OPT\/([\d.]*)/],
  ['Yandex Browser', /YaBrowser\/([\d.]*)/],
  ['UC Browser', /UCBrowser\/?([\d.]*)/, versionPattern],
  ['Maxthon', /(?:Maxthon|MXiOS)\/([\d.]*)/, versionPattern],
  ['Epiphany', /Epiphany/],
  ['Puffin', /Puffin\/([\d.]*)/, versionPattern],
  ['WeChat', browserPatterns.WeChat],
  ['QQ Browser Lite', /QQBrowserLite\/([\d.]*)/],
  ['QQ Browser', /QQBrowser\/([\d.]*)/],
  ['Internet Explorer', /MSIE ([\d.]*)/],
  ['Internet Explorer', /Trident/, /rv:([\d.]*)/],
  ['Microsoft Edge', browserPatterns.Edge],
  ['Microsoft Edge', /Edg(?:e|A|iOS)\/([\d.]*)/],
  ['Vivaldi', /Vivaldi\/([\d.]*)/],
  ['SeaMonkey', /SeaMonkey\/([\d.]*)/],
  ['Amazon Silk', /Silk\/([\d.]*)/],
  ['Firefox', browserPatterns.Firefox],
  ['Electron', /Electron\/([\d.]*)/],
  ['Sogou Browser', /SogouMobileBrowser\/([\d.]*)/],
  ['Sogou Browser', /MetaSr/, browserPatterns.Chrome],
  ['Miui', /MiuiBrowser\/([\d.]*)/],
  ['DuckDuckGo', / Ddg\/([\d.]*)/],
  ['Chromium', /Chromium\/([\d.]*)/],
  ['Chrome', browserPatterns.Chrome],
  ['Google Search', /GSA\/([\d.]*)/],
  ['Android Browser', systemPatterns.Android],
  ['Safari', browserPatterns.Safari],
  ['Safari', /AppleWebKit/],
]

const windowsNames = {
  ...{ 'NT 5.1': 'XP', 'NT 5.2': '2003', 'NT 6.0': 'Vista', 'NT 6.1': '7', 'NT 6.2': '8', 'NT 6.3': '8.1' },
  'NT 10.0': '10',
}
const androidNames = {
  ...{ '4.0': 'Ice Cream Sandwich', '4.1': 'Jelly Bean', '4.2': 'Jelly Bean', '4.3': 'Jelly Bean', '4.4': 'KitKat' },
  ...{ 5: 'Lollipop', 6: 'Marshmallow', 7: 'Nougat', 8: 'Oreo', 9: 'Pie' },
}
const macNames = {
  ...{ '10.6': 'Snow Leopard', '10.7': 'Lion', '10.8': 'Mountain Lion', '10.9': 'Mavericks', '10.10': 'Yosemite' },
  ...{ '10.11': 'El Capitan', '10.12': 'Sierra', '10.13': 'High Sierra', '10.14': 'Mojave', '10.15': 'Catalina' },
  ...{ 11: 'Big Sur', 12: 'Monterey', 13: 'Ventura', 14: 'Sonoma', 15: 'Sequoia' },
}
const iosVersion = /OS ([\d_]+) like Mac OS X/

/** In the order in which they are tried. `names` are those of versions, by their first two numbers or the first one. */
const systems: [name: string, pattern: RegExp, version?: RegExp, names?: Record<string, string>][] = [
  ['Windows Phone', /Windows Phone/, /Windows Phone (?:OS )?([\d.]+)/],
  ['Windows', systemPatterns.Windows, /Windows (NT [\d.]+)/, windowsNames],
  // Firefox on an iPad calls it a Macintosh.
  ['iOS', /^(?=.*Macintosh).*FxiOS/, versionPattern],
  ['iOS', systemPatterns.iPhone, iosVersion],
  ['iOS', systemPatterns.iPad, iosVersion],
  ['HarmonyOS', /OpenHarmony/, /OpenHarmony ([\d.]+)/],
  ['Android', systemPatterns.Android, /Android[ /-]([\d.]+)/, androidNames],
  ['macOS', systemPatterns.macOS, /Mac OS X ([\d._]+)/, macNames],
  ['Chrome OS', systemPatterns.ChromeOS],
  ['Linux', systemPatterns.Linux],
]

const textOf = (...parts: string[]): string => parts.filter(Boolean).join(' ')

/** The version that the first of `patterns` finds, else the next one; without a dot at its end. */
const versionIn = (userAgent: string, patterns: (RegExp | undefined)[]): string => {
  const versions = patterns.map((pattern) => pattern?.exec(userAgent)?.[1])
  return (versions.find(Boolean) ?? '').replaceAll('_', '.').replace(/\.$/, '')
}

/** What an unknown program calls itself: its last name and version before a comment, or before another name. */
const ownName = (userAgent: string): string => {
  const pattern = userAgent.includes('(') ? /^(.*)\/([^/]*) \(/ : /^(.*)\/([^/]*) /
  const [, name = '', version = ''] = pattern.exec(userAgent) ?? []
  return textOf(name, version)
}

const browserOf = (userAgent: string): string => {
  const [name, pattern, version] = browsers.find(([, known]) => known.test(userAgent)) ?? []
  if (name === undefined) return ownName(userAgent)
  return textOf(name, versionIn(userAgent, [version, pattern, versionPattern]))
}

const systemOf = (userAgent: string): string => {
  const [name = '', , pattern, names = {}] = systems.find(([, known]) => known.test(userAgent)) ?? []
  const version = versionIn(userAgent, [pattern])
  const [major = '', minor = ''] = version.split('.')
  return textOf(name, names[`${major}.${minor}`] ?? names[major] ?? version)
}

/** The browser and operating system that a header `User-Agent` names, with versions; empty texts for unknown ones. */
export const readUserAgent = (userAgent: string): { browser: string; os: string } => ({
  browser: browserOf(userAgent),
  os: systemOf(userAgent),
})
