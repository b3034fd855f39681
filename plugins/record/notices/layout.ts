import type { Language } from '../../../schemas/problems.js'

/** A part of a mail: a paragraph, a one-time code or an address alone on its line, a button, or lines with a label and a value. */
export type Block =
  | string
  | { code: string }
  | { link: string }
  | { button: string; to: string }
  | { facts: [label: string, value: string][] }

/** What a mail says in one language. */
export interface Section {
  language: Language
  blocks: Block[]
}

export interface Layout {
  /** Name of the installation, at the top. */
  service: string
  /** Background of the name, `#rrggbb`; white text on it can be read. */
  color: string
}

/** A mail, with the same text as plain text and as HTML. */
export interface Content {
  subject: string
  text: string
  html: string
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

const font = `-apple-system,'Segoe UI',Roboto,Arial,'PingFang SC','Microsoft YaHei',sans-serif`
const paragraph = 'margin:0 0 16px'
const code = `${paragraph};font:600 30px/1.3 Consolas,Menlo,monospace;letter-spacing:5px`
const address = 'color:#14616f;overflow-wrap:anywhere'
const small = 'font-size:12px;color:#57636b;overflow-wrap:anywhere'
const rule = 'margin:8px 0 24px;border:0;border-top:1px solid #e1e6e9'
const fact = 'margin:0;padding:0 16px 0 0'
const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

const colons: Record<Language, string> = { en: ':', zh: '：' }
/** Between a label and what follows on its line. */
export const colonBefore = (language: Language, text: string): string =>
  `${colons[language]}${language === 'zh' ? '' : ' '}${text}`

const blockText = (block: Block, language: Language): string => {
  if (typeof block === 'string') return block
  if ('code' in block) return block.code
  if ('link' in block) return block.link
  if ('button' in block) return `${block.button}${colons[language]}\n${block.to}`
  return block.facts.map(([label, value]) => `${label}${colonBefore(language, value)}`).join('\n')
}

const blockHtml = (block: Block, color: string): string => {
  if (typeof block === 'string') return `<p style="${paragraph}">${escape(block)}</p>`
  if ('code' in block) return `<p style="${code}">${escape(block.code)}</p>`
  // The address itself is the text, so that the reader sees where it leads.
  if ('link' in block)
    return `<p style="${paragraph}"><a href="${escape(block.link)}" style="${address}">${escape(block.link)}</a></p>`
  if ('button' in block) {
    const [label, to] = [escape(block.button), escape(block.to)]
    const style = `display:inline-block;background:${color};color:#ffffff;padding:10px 20px;border-radius:6px;text-decoration:none`
    return `<p style="margin:0 0 6px"><a href="${to}" style="${style}">${label}</a></p><p style="${paragraph};${small}">${to}</p>`
  }
  const rows = block.facts.map(
    ([label, value]) =>
      `<tr><td style="${fact};color:#57636b">${escape(label)}</td><td style="${fact}">${escape(value)}</td></tr>`,
  )
  return `<table ${table} style="${paragraph}">${rows.join('')}</table>`
}

const sectionHtml = ({ language, blocks }: Section, color: string): string =>
  `<div lang="${language}">${blocks.map((block) => blockHtml(block, color)).join('')}</div>`

/**
 * Writes a mail as plain text and as HTML, its sections one below the other. Mail programs know tables and styles of
 * elements, and little else. There is nothing to load: that would tell who reads the mail, and when.
 */
export const layOut = ({ service, color }: Layout, subject: string, sections: Section[]): Content => ({
  subject,
  text: `${sections.map(({ language, blocks }) => blocks.map((block) => blockText(block, language)).join('\n\n')).join('\n\n----\n\n')}\n`,
  html: [
    `<!doctype html><html lang="${sections[0]?.language ?? 'en'}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light">',
    `<title>${escape(subject)}</title></head>`,
    `<body style="margin:0;background:#f6f8f9"><table ${table} width="100%" bgcolor="#f6f8f9">`,
    `<tr><td align="center" style="padding:32px 12px">`,
    `<table ${table} width="100%" bgcolor="#ffffff" style="max-width:520px;border:1px solid #e1e6e9">`,
    `<tr><td bgcolor="${color}" style="padding:14px 24px;color:#ffffff;font:600 16px/1.5 ${font}">${escape(service)}</td></tr>`,
    `<tr><td style="padding:24px 24px 8px;color:#161c20;font:15px/1.6 ${font}">`,
    sections.map((section) => sectionHtml(section, color)).join(`<hr style="${rule}">`),
    '</td></tr></table></td></tr></table></body></html>',
  ].join('\n'),
})
