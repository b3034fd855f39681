import type { Language } from '../../../schemas/problems.js'
import type { PageFiles } from './page-files.js'

const words = {
  en: {
    tag: 'en',
    titles: { 'sign-in': 'Sign in', account: 'Account', console: 'Console', docs: 'API' },
    script: 'This page needs JavaScript. Switch it on in your browser, then load the page again.',
    missing: 'There is no such page',
    toSignIn: 'Go to the sign-in page',
  },
  zh: {
    tag: 'zh-CN',
    titles: { 'sign-in': '登录', account: '账号', console: '管理控制台', docs: 'API 文档' },
    script: '本页需要 JavaScript。请在浏览器中启用，然后重新加载。',
    missing: '没有这个页面',
    toSignIn: '前往登录页面',
  },
} satisfies Record<Language, unknown>

export interface Document {
  page: keyof (typeof words)['en']['titles']
  files: PageFiles
  /** The pages that this server has. */
  served: readonly string[]
  /** The guests that bring something to them. */
  guests: readonly string[]
  language: Language
  /** Where the service is, relative to the document, such as `../`. */
  base: string
  /** Whether the page asks for the token of its session. */
  mayHavePageSession: boolean
}

/**
 * The document of a page: what the browser needs to begin. Nothing of it comes from people or from the configuration, so that there is
 * nothing to escape.
 */
export const pageHtml = ({ page, files, served, guests, language, base, mayHavePageSession }: Document): string => {
  const { tag, titles, script } = words[language]
  const title = titles[page]
  const address = (name: string) => `${base}pages/${name}`
  const attributes = [
    `data-pages="${served.join(' ')}"`,
    ...(guests.length > 0 ? [`data-guests="${guests.join(' ')}"`] : []),
    ...(mayHavePageSession ? ['data-session'] : []),
  ]
  const preloads = [...files.imports, ...files.words[language]]
  return `<!doctype html>
<html lang="${tag}" ${attributes.join(' ')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${address(files.style)}">
<script type="module" src="${address(files.script)}"></script>
${preloads.map((name) => `<link rel="modulepreload" href="${address(name)}">`).join('\n')}
</head>
<body class="${page === 'sign-in' ? 'gate' : ''}">
<main>
<h1>${title}</h1>
<noscript><p class="notice warn">${script}</p></noscript>
</main>
</body>
</html>
`
}

/** The document for an address that does not exist. It has no script and no style, and says nothing of the address. */
export const missingHtml = (language: Language, base: string): string => {
  const { tag, missing, toSignIn } = words[language]
  return `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${missing}</title>
<link rel="icon" href="data:,">
</head>
<body>
<main>
<h1>${missing}</h1>
<p><a href="${base}sign-in">${toSignIn}</a></p>
</main>
</body>
</html>
`
}

/** Where the service is from a document at `path`, below the prefix of a host app. A proxy may have taken another prefix away. */
export const baseOf = (path: string, prefix: string): string => {
  const slashes = (text: string) => text.split('/').length - 1
  return '../'.repeat(slashes(path) - slashes(prefix) - 1) || './'
}
