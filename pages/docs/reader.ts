import SwaggerUI, { type Plugin } from '@fastify/swagger-ui/static/swagger-ui-bundle.js'
import { base } from '../shared/base.js'
import { mendMarkup } from './swagger/markup.js'
import { references } from './swagger/references.js'
import { words } from './words.js'

/** Parts of Swagger UI that are other ones here. */
const parts: Plugin = {
  wrapComponents: {
    // A link inside the button that opens an operation: opening puts its address into that of the page anyway.
    DeepLink:
      (_original, { React }) =>
      ({ text }) =>
        React.createElement('span', null, text),
    // The documents have one server: it is named once, without a list.
    ServersContainer: (_original, { React }) => {
      const text = words.server(base.href.replace(/\/$/, ''))
      return () => React.createElement('p', { className: 'server' }, text)
    },
  },
}

/** Tells when somebody presses Logout in the dialog. */
const logoutTold = (onLogout: () => void): Plugin => ({
  statePlugins: {
    auth: {
      wrapActions: {
        logout: (original) => {
          const logout = original as (...names: never[]) => unknown
          return (...names) => {
            onLogout()
            return logout(...names)
          }
        },
      },
    },
  },
})

/**
 * The dialog **Authorize** of Swagger UI puts the cursor into its last field: that of services, where the password of a person does
 * nothing. Puts it into the field of the access token.
 */
const focusBearer = (page: Element): void => {
  let focused: Element | null = null
  new MutationObserver(() => {
    const field = page.querySelector<HTMLInputElement>('#auth-bearer-value')
    if (field && field !== focused) field.focus()
    focused = field
  }).observe(page, { childList: true, subtree: true })
}

const pictureIn = (table: Element): string | undefined =>
  /"image":\s*"(data:image\/png;base64,[\w+/=]+)"/.exec(table.textContent)?.[1]

const showPictures = (page: Element): void => {
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
const showCaptchas = (page: Element): void =>
  new MutationObserver(() => showPictures(page)).observe(page, { childList: true, subtree: true, characterData: true })

interface ReaderOptions {
  spec: object
  /** Keeps what is entered under **Authorize** in the storage of the browser. */
  keepsTokens: boolean
  /** Called when the token is taken out under **Authorize**. */
  onLogout: () => void
}

/** Swagger UI in an element. Resolves when it has begun: before, it would begin with nothing authorized. */
export const openReader = async (domNode: Element, { spec, keepsTokens, onLogout }: ReaderOptions) => {
  const begun = Promise.withResolvers<undefined>()
  const { authActions, specActions } = SwaggerUI({
    domNode,
    spec,
    plugins: [references, parts, logoutTold(onLogout)],
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: 'list',
    persistAuthorization: keepsTokens,
    syntaxHighlight: { theme: 'tomorrow-night' },
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => begun.resolve(undefined),
  })
  mendMarkup(domNode)
  showCaptchas(domNode)
  focusBearer(domNode)
  await begun.promise
  return {
    show: (document: object): void => specActions.updateSpec(JSON.stringify(document)),
    /** Not kept in the storage, unlike what is entered in the dialog. */
    authorize: (value: string): void =>
      authActions.authorize({ bearer: { name: 'bearer', schema: { type: 'http', scheme: 'bearer' }, value } }),
  }
}
