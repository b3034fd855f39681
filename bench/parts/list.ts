import { compare } from '../load.js'
import type { Part } from '../part.js'

/** The pages that are asked for; the same one again and again. */
const pages = {
  'list, first page': 'pageNum=1',
  'list, page 50': 'pageNum=50',
  'list, keyword': 'keyword=user',
}

export const list: Part = async ({ url, bareUrl, headers, seconds }) => {
  const figures = []
  for (const [name, query] of Object.entries(pages)) {
    const subject = { url: `${url}/system/user/page?${query}`, headers }
    figures.push({ name, ...(await compare(subject, { url: `${bareUrl}/page` }, seconds)), target: 0.6 })
  }
  return figures
}
