import { test } from 'tap'
import { readAgent } from '../../lib/user-agent.js'

const webkit = (system: string, rest: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko)${rest && ` ${rest}`}`

const windows = 'Windows NT 10.0; Win64; x64'
const mac = 'Macintosh; Intel Mac OS X 10_15_7'
const linux = 'X11; Linux x86_64'
const android = 'Linux; Android 10; K'
const iphone = 'iPhone; CPU iPhone OS 17_1_1 like Mac OS X'
const ipad = 'iPad; CPU OS 16_5 like Mac OS X'

const rows: [userAgent: string, browser: string | undefined, system: string | undefined][] = [
  [webkit(windows, 'Chrome/120.0.0.0 Safari/537.36'), 'Chrome', 'Windows'],
  [webkit(linux, 'HeadlessChrome/120.0.6099.71 Safari/537.36'), 'Chrome', 'Linux'],
  [webkit('X11; CrOS x86_64 14541.0.0', 'Chrome/119.0.0.0 Safari/537.36'), 'Chrome', 'ChromeOS'],
  [webkit(ipad, 'CriOS/119.0.6045.109 Mobile/15E148 Safari/604.1'), 'Chrome', 'iPad'],
  [webkit(windows, 'Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0'), 'Edge', 'Windows'],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/119.0', 'Firefox', 'Linux'],
  ['Mozilla/5.0 (Android 13; Mobile; rv:120.0) Gecko/120.0 Firefox/120.0', 'Firefox', 'Android'],
  ['Mozilla/5.0 (X11; FreeBSD amd64; rv:120.0) Gecko/20100101 Firefox/120.0', 'Firefox', undefined],
  [webkit(iphone, 'FxiOS/120.0 Mobile/15E148 Safari/605.1.15'), 'Firefox', 'iPhone'],
  [webkit(mac, 'Version/17.4.1 Safari/605.1.15'), 'Safari', 'macOS'],
  [webkit(iphone, 'Version/17.1.2 Mobile/15E148 Safari/604.1'), 'Safari', 'iPhone'],
  [webkit(mac, 'Chrome/119.0.0.0 Safari/537.36 OPR/105.0.0.0'), 'Opera', 'macOS'],
  ['Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18', 'Opera', 'Windows'],
  [webkit(android, 'SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36'), 'Samsung Internet', 'Android'],
  [webkit(android, 'Version/4.0 Chrome/111.0.5563.116 MicroMessenger/8.0.42.2460(0x28002A35)'), 'WeChat', 'Android'],
  [webkit(mac, 'Chrome/39.0.2171.95 MicroMessenger/6.5.2.501 WindowsWechat'), 'WeChat', 'macOS'],
  [webkit(iphone, 'Mobile/15E148'), undefined, 'iPhone'],
  ['Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko', undefined, 'Windows'],
  ['curl/8.4.0', undefined, undefined],
  ['', undefined, undefined],
]

test('a header User-Agent is read as the browser and the system that the pages name', async (t) => {
  for (const [userAgent, browser, system] of rows) t.strictSame(readAgent(userAgent), { browser, system }, userAgent)
})
