import { test } from 'tap'
import { readUserAgent } from '../user-agent.js'

const webkit = (system: string, rest: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko)${rest && ` ${rest}`}`
const chrome = (system: string, rest: string) => webkit(system, `Chrome/120.0.0.0 ${rest}`)
const view = (model: string, rest: string) => webkit(`Linux; U; Android 12; ${model}; wv`, `Version/4.0 ${rest}`)
const firefox = (system: string, version: string) =>
  `Mozilla/5.0 (${system}; rv:${version}) Gecko/20100101 Firefox/${version}`

const windows = 'Windows NT 10.0; Win64; x64'
const mac = 'Macintosh; Intel Mac OS X 10_15_7'
const linux = 'X11; Linux x86_64'
const android = 'Linux; Android 10; K'
const iphone = 'iPhone; CPU iPhone OS 17_1_1 like Mac OS X'
const ipad = 'iPad; CPU OS 16_5 like Mac OS X'

type Rows = [userAgent: string, browser: string, os: string][]

const browsers: Rows = [
  [chrome(windows, 'Safari/537.36'), 'Chrome 120.0.0.0', 'Windows 10'],
  [webkit(iphone, 'CriOS/119.0.6045.109 Mobile/15E148 Safari/604.1'), 'Chrome 119.0.6045.109', 'iOS 17.1.1'],
  [webkit(linux, 'HeadlessChrome/120.0.6099.71 Safari/537.36'), 'Chrome 120.0.6099.71', 'Linux'],
  [webkit(linux, 'Ubuntu Chromium/80.0.3987.87 Chrome/80.0.3987.87 Safari/537.36'), 'Chromium 80.0.3987.87', 'Linux'],
  [chrome(windows, 'Safari/537.36 Edg/120.0.2210.91'), 'Microsoft Edge 120.0.2210.91', 'Windows 10'],
  [chrome(windows, 'Safari/537.36 Edge/18.17763'), 'Microsoft Edge 18.17763', 'Windows 10'],
  [chrome(android, 'Mobile Safari/537.36 EdgA/127.0.0.0'), 'Microsoft Edge 127.0.0.0', 'Android 10'],
  [webkit(ipad, 'Version/16.0 EdgiOS/114.0.1823.41 Safari/605.1.15'), 'Microsoft Edge 114.0.1823.41', 'iOS 16.5'],
  [firefox(windows, '121.0'), 'Firefox 121.0', 'Windows 10'],
  [firefox('X11; Ubuntu; Linux x86_64', '119.0'), 'Firefox 119.0', 'Linux'],
  [firefox('X11; FreeBSD amd64', '120.0'), 'Firefox 120.0', ''],
  [webkit(iphone, 'FxiOS/120.0 Mobile/15E148 Safari/605.1.15'), 'Firefox 120.0', 'iOS 17.1.1'],
  [webkit(mac, 'FxiOS/29.0 Version/13.1 Safari/605.1.15'), 'Firefox 29.0', 'iOS 13.1'],
  [webkit(android, 'Version/4.0 Focus/8.0.15 Chrome/84.0.4147.125 Mobile Safari/537.36'), 'Focus 8.0.15', 'Android 10'],
  [`${firefox(windows, '68.0')} SeaMonkey/2.53.5`, 'SeaMonkey 2.53.5', 'Windows 10'],
  [`${firefox(windows, '102.0')} PaleMoon/32.5.0`, 'Pale Moon 32.5.0', 'Windows 10'],
  [webkit(mac, 'Version/17.4.1 Safari/605.1.15'), 'Safari 17.4.1', 'macOS Catalina'],
  [webkit(iphone, 'Version/17.1.2 Mobile/15E148 Safari/604.1'), 'Safari 17.1.2', 'iOS 17.1.1'],
  [webkit(iphone, 'Mobile/15E148'), 'Safari', 'iOS 17.1.1'],
  [webkit(linux, 'Version/13.0 Safari/605.1.15 Epiphany/605.1.15'), 'Epiphany 13.0', 'Linux'],
  [webkit(mac, 'Version/17.5 Safari/605.1.15 Ddg/17.5'), 'DuckDuckGo 17.5', 'macOS Catalina'],
  [webkit(iphone, 'GSA/290.0.580850530 Mobile/15E148 Safari/604.1'), 'Google Search 290.0.580850530', 'iOS 17.1.1'],
  [view('MT2111', 'Mobile Safari/534.30 GSA/13.14.15.23.arm64'), 'Google Search 13.14.15.23', 'Android 12'],
  [view('SM-S911B', 'Chrome/119.0.6045.163 Mobile Safari/537.36'), 'Chrome 119.0.6045.163', 'Android 12'],
  ['Dalvik/2.1.0 (Linux; U; Android 13; SM-S901B Build/TP1A.220624.014)', 'Android Browser', 'Android 13'],
  [chrome(windows, 'Safari/537.36 OPR/105.0.0.0'), 'Opera 105.0.0.0', 'Windows 10'],
  [view('SM-A205U', 'Chrome/120.0.6099.144 OPR/76.0.2254.69447'), 'Opera 76.0.2254.69447', 'Android 12'],
  ['Opera/9.80 (Android; Opera Mini/36.2.2254/191.249; U; en) Presto/2.12.423 Version/12.16', 'Opera 12.16', 'Android'],
  [webkit(iphone, 'OPiOS/16.0.15.124050 Safari/9537.53'), 'Opera 16.0.15.124050', 'iOS 17.1.1'],
  [webkit(iphone, 'Version/16.1 Safari/604.1 OPT/4.3.0'), 'Opera Touch 4.3.0', 'iOS 17.1.1'],
  [
    webkit(android, 'SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36'),
    'Samsung Internet for Android 24.0',
    'Android 10',
  ],
  [chrome(windows, 'Safari/537.36 Vivaldi/6.4.3160.47'), 'Vivaldi 6.4.3160.47', 'Windows 10'],
  [chrome(windows, 'YaBrowser/23.11.0.0 Safari/537.36'), 'Yandex Browser 23.11.0.0', 'Windows 10'],
  [chrome(windows, 'Whale/3.23.214.10 Safari/537.36'), 'NAVER Whale Browser 3.23.214.10', 'Windows 10'],
  [view('SM-S908N', 'Chrome/90.0.4430.232 Whale/1.0.0.0'), 'NAVER Whale Browser 4.0', 'Android 12'],
  [webkit('Linux; Android 9; KFMAWI', 'Silk/112.5.1 like Chrome/112.0.5615.213'), 'Amazon Silk 112.5.1', 'Android Pie'],
  [chrome(windows, 'Electron/25.9.7 Safari/537.36'), 'Electron 25.9.7', 'Windows 10'],
  ['Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko', 'Internet Explorer 11.0', 'Windows 10'],
  ['Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)', 'Internet Explorer 10.0', 'Windows 8'],
  ['Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)', 'Internet Explorer 8.0', 'Windows 7'],
  [chrome(windows, 'Safari/537.36 Brave/120'), 'Chrome 120.0.0.0', 'Windows 10'],
]

const chinese: Rows = [
  [view('MI 8', 'Chrome/78.0.3904.108 UCBrowser/13.3.8.1118 Mobile'), 'UC Browser 4.0', 'Android 12'],
  [webkit(iphone, 'Mobile/20G75 UCBrowser/16.2.6.2129'), 'UC Browser 16.2.6.2129', 'iOS 17.1.1'],
  [view('ELE-AL00', 'Chrome/89.0.4389.72 MQQBrowser/13.6 Mobile Safari/537.36'), 'QQ Browser 13.6', 'Android 12'],
  [chrome(windows, 'Safari/537.36 Core/1.94.200.400 QQBrowser/11.8.5118'), 'QQ Browser 11.8.5118', 'Windows 10'],
  [chrome(mac, 'Safari/537.36 QQBrowserLite/1.3.0'), 'QQ Browser Lite 1.3.0', 'macOS Catalina'],
  [webkit(iphone, 'Mobile/15E148 MicroMessenger/8.0.47(0x18002f2c) NetType/WIFI'), 'WeChat 8.0.47', 'iOS 17.1.1'],
  [view('22081212C', 'Chrome/111.0.5563.116 MicroMessenger/8.0.42.2460(0x28)'), 'WeChat 8.0.42.2460', 'Android 12'],
  [view('PACM00', 'MQQBrowser/6.2 TBS/044807 MicroMessenger/7.0.6.1460(0x27)'), 'WeChat 7.0.6.1460', 'Android 12'],
  [chrome(windows, 'MicroMessenger/7.0.20.1781(0x67) WindowsWechat(0x63)'), 'WeChat 7.0.20.1781', 'Windows 10'],
  [chrome(mac, 'MicroMessenger/6.5.2.501 NetType/WIFI WindowsWechat'), 'WeChat 6.5.2.501', 'macOS Catalina'],
  [view('2211133C', 'Chrome/100.0.4896.127 XiaoMi/MiuiBrowser/17.8.220115'), 'Miui 17.8.220115', 'Android 12'],
  [view('PFJM10', 'Chrome/90.0.4430.61 HeyTapBrowser/40.8.6.1'), 'HeyTap Browser 40.8.6.1', 'Android 12'],
  [view('V2118A', 'Chrome/87.0.4280.141 VivoBrowser/14.2.1.0'), 'Vivo Browser 14.2.1.0', 'Android 12'],
  [view('16th', 'Chrome/69.0.3497.100 MZBrowser/8.2.120-2020051216'), 'MZ Browser 8.2.120', 'Android 12'],
  [view('MI 6', 'Chrome/74.0.3729.136 SogouMSE,SogouMobileBrowser/5.28.8'), 'Sogou Browser 5.28.8', 'Android 12'],
  [chrome(windows, 'Safari/537.36 SE 2.X MetaSr 1.0'), 'Sogou Browser 120.0.0.0', 'Windows 10'],
  [chrome(windows, 'Safari/537.36 Maxthon/5.2.7.5000'), 'Maxthon 5.2.7.5000', 'Windows 10'],
  [view('V9', 'Chrome/100.0.4896.58 Quark/6.2.5.243 Mobile'), 'Chrome 100.0.4896.58', 'Android 12'],
  [chrome('Linux; Android 10; HarmonyOS; ELS-AN00', 'HuaweiBrowser/14.0.1'), 'Chrome 120.0.0.0', 'Android 10'],
  [chrome('Phone; OpenHarmony 5.0', 'Safari/537.36 ArkWeb/4.1.6.1 Mobile'), 'Chrome 120.0.0.0', 'HarmonyOS 5.0'],
]

const systems: [system: string, os: string][] = [
  ['Windows NT 11.0; Win64', 'Windows NT 11.0'],
  ['Windows NT 6.3; Win64; x64', 'Windows 8.1'],
  ['Windows NT 6.2; WOW64', 'Windows 8'],
  ['Windows NT 6.1; WOW64', 'Windows 7'],
  ['Windows NT 6.0; WOW64', 'Windows Vista'],
  ['Windows NT 5.2; Win64; x64', 'Windows 2003'],
  ['Windows NT 5.1', 'Windows XP'],
  ['Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950', 'Windows Phone 10.0'],
  ['Macintosh; Intel Mac OS X 26_0', 'macOS 26.0'],
  ['Macintosh; Intel Mac OS X 15_0', 'macOS Sequoia'],
  ['Macintosh; Intel Mac OS X 14.4', 'macOS Sonoma'],
  ['Macintosh; Intel Mac OS X 13_4', 'macOS Ventura'],
  ['Macintosh; Intel Mac OS X 12_6', 'macOS Monterey'],
  ['Macintosh; Intel Mac OS X 11_2_3', 'macOS Big Sur'],
  ['Macintosh; Intel Mac OS X 10.15', 'macOS Catalina'],
  ['Macintosh; Intel Mac OS X 10_14_6', 'macOS Mojave'],
  ['Macintosh; Intel Mac OS X 10_13_6', 'macOS High Sierra'],
  ['Macintosh; Intel Mac OS X 10_12_6', 'macOS Sierra'],
  ['Macintosh; Intel Mac OS X 10_11_6', 'macOS El Capitan'],
  ['Macintosh; Intel Mac OS X 10_10_5', 'macOS Yosemite'],
  ['Macintosh; Intel Mac OS X 10_9_5', 'macOS Mavericks'],
  ['iPod touch; CPU iPhone OS 12_5_7 like Mac OS X', 'iOS 12.5.7'],
  ['Linux; Android 14; Pixel 8', 'Android 14'],
  ['Linux; Android 9; SM-G960F', 'Android Pie'],
  ['Linux; Android 8.1.0; vivo 1808', 'Android Oreo'],
  ['Linux; Android 7.1.2; Redmi 4X', 'Android Nougat'],
  ['Linux; Android 6.0.1; Nexus 5X', 'Android Marshmallow'],
  ['Linux; Android 5.1.1; SM-J320F', 'Android Lollipop'],
  ['Linux; Android 4.4.2; GT-I9505', 'Android KitKat'],
  ['Linux; Android 4.3; GT-I9300', 'Android Jelly Bean'],
  ['Linux; Android 4.0.4; GT-P5100', 'Android Ice Cream Sandwich'],
  ['Android; Mobile', 'Android'],
  ['X11; CrOS x86_64 14541.0.0', 'Chrome OS'],
  ['X11; Linux aarch64', 'Linux'],
  ['X11; OpenBSD amd64', ''],
]

const programs: Rows = [
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot 2.1', ''],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'BingCrawler 2.0', ''],
  ['Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/)', 'BaiduSpider 2.0', ''],
  ['Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)', 'YandexBot', ''],
  ['Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', 'Mozilla 5.0', ''],
  ['Apache-HttpClient/4.5.13 (Java/11.0.20)', 'Apache-HttpClient 4.5.13', ''],
  ['Dart/3.1 (dart:io)', 'Dart 3.1', ''],
  ['Python/3.10 aiohttp/3.8.4', 'Python 3.10', ''],
  ['MyApp/3.2.1 (iPhone; iOS 17.1; Scale/3.00)', 'MyApp 3.2.1', 'iOS'],
  ['MyApp/1 CFNetwork/1408.0.4 Darwin/22.5.0', 'MyApp/1 CFNetwork 1408.0.4', ''],
  ...['curl/8.4.0', 'okhttp/4.9.3', 'PostmanRuntime/7.36.0', 'python-requests/2.31.0', 'Go-http-client/2.0'].map(
    (agent): Rows[number] => [agent, '', ''],
  ),
  ...['node', 'axios/1.6.2', 'Java/17.0.9', 'got (https://github.com/sindresorhus/got)', '', '/', '('].map(
    (agent): Rows[number] => [agent, '', ''],
  ),
]

test('a header User-Agent is read as browser and system, in the words that the front end shows', async (t) => {
  const ofSystems = systems.map(([system, os]): Rows[number] => [chrome(system, 'x'), 'Chrome 120.0.0.0', os])
  for (const [userAgent, browser, os] of [...browsers, ...chinese, ...ofSystems, ...programs])
    t.strictSame(readUserAgent(userAgent), { browser, os }, userAgent)
})

test('to read a header takes time in proportion to its length, whatever it repeats', async (t) => {
  const parts = [
    '1',
    '1.',
    '/',
    ' /',
    '/ (',
    ' ',
    'Macintosh',
    ' FxiOS',
    'Trident rv:',
    'MetaSr',
    'Chrome/1.',
    'Version/1',
  ]
  const numbered = ['Windows NT 1', 'Windows Phone 1', 'Mac OS X 1_', 'iPhone OS 1_', 'Android 1.', 'OpenHarmony 1']
  for (const part of [...parts, ...numbered]) {
    const start = performance.now()
    readUserAgent(part.repeat(200_000))
    t.ok(performance.now() - start < 5000, part)
  }
})
