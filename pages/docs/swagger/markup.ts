import { words } from '../words.js'

/** What the elements of Swagger UI lack for screen readers and the keyboard, by selector. */
const attributes: Record<string, () => Record<string, string>> = {
  '.information-container': () => ({ role: 'region', 'aria-label': words.about }),
  '.scheme-container': () => ({ role: 'region', 'aria-label': words.authorization }),
  // Headings below that of the document, each a level deeper than the one above it.
  '.opblock-tag': () => ({ role: 'heading', 'aria-level': '2' }),
  '.models h4': () => ({ role: 'heading', 'aria-level': '2' }),
  '.opblock-body h4:not(.headers__title)': () => ({ role: 'heading', 'aria-level': '3' }),
  '.opblock-body :is(h5, h6)': () => ({ role: 'heading', 'aria-level': '4' }),
  // Repeated for each status.
  '.headers__title': () => ({ role: 'presentation' }),
  '.dialog-ux': () => ({ role: 'dialog', 'aria-modal': 'true', 'aria-label': words.authorization }),
  '.dialog-ux :is(h3, h4)': () => ({ role: 'heading', 'aria-level': '2' }),
  '.dialog-ux h6': () => ({ role: 'heading', 'aria-level': '3' }),
  '.dialog-ux .close-modal': () => ({ 'aria-label': words.close }),
  '.dialog-ux .modal-btn.authorize': () => ({ 'aria-label': 'Authorize: apply credentials' }),
  '.dialog-ux .modal-btn:not(.authorize, .btn-done)': () => ({ 'aria-label': 'Logout: remove authorization' }),
  '.body-param__text': () => ({ 'aria-label': words.body }),
  '.examples-select-element': () => ({ 'aria-label': words.example }),
  'pre.microlight, .highlight-code > pre': () => ({ tabindex: '0' }),
}

const mend = (page: Element): void => {
  for (const [selector, read] of Object.entries(attributes)) {
    const wanted = Object.entries(read())
    for (const element of page.querySelectorAll(selector))
      for (const [name, value] of wanted) if (element.getAttribute(name) !== value) element.setAttribute(name, value)
  }
}

/** Keeps the markup of Swagger UI such as screen readers need it, whatever is opened. */
export const mendMarkup = (page: Element): void =>
  new MutationObserver(() => mend(page)).observe(page, { childList: true, subtree: true })
