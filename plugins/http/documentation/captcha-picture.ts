/**
 * A script for Swagger UI, which shows a data URI in an answer as text only: puts the picture of a captcha below the answer, so
 * that a person can read it.
 */
export const captchaPicture = `new MutationObserver(() => {
  for (const table of document.querySelectorAll('.opblock[id$="-getCaptcha"] .live-responses-table')) {
    const [, source] = /"image":\\s*"(data:image\\/png;base64,[\\w+/=]+)"/.exec(table.textContent) ?? []
    const shown = table.parentElement.querySelector('img.captcha')
    if (!source || shown?.src === source) continue
    shown?.remove()
    const picture = new Image()
    picture.className = 'captcha'
    picture.alt = 'The captcha'
    picture.src = source
    table.after(picture)
  }
}).observe(document.documentElement, { childList: true, subtree: true, characterData: true })
`
