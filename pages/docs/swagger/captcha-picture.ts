import { words } from '../words.js'

const pictureIn = (table: Element): string | undefined =>
  /"image":\s*"(data:image\/png;base64,[\w+/=]+)"/.exec(table.textContent)?.[1]

const show = (page: Element): void => {
  for (const table of page.querySelectorAll('.opblock[id$="-getCaptcha"] .live-responses-table')) {
    const source = pictureIn(table)
    const shown = table.parentElement?.querySelector<HTMLImageElement>('img.captcha')
    if (source === undefined || shown?.src === source) continue
    shown?.remove()
    const picture = new Image()
    picture.className = 'captcha'
    picture.alt = words.captcha
    picture.src = source
    table.after(picture)
  }
}

/** Swagger UI shows a data URI in an answer as text only: puts the picture of a captcha below the answer, so that a person can read it. */
export const showCaptchas = (page: Element): void =>
  new MutationObserver(() => show(page)).observe(page, { childList: true, subtree: true, characterData: true })
