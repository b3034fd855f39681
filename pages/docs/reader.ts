import SwaggerUI from '@fastify/swagger-ui/static/swagger-ui-bundle.js'
import { focusBearer } from './swagger/bearer-first.js'
import { showCaptchas } from './swagger/captcha-picture.js'
import { mendMarkup } from './swagger/markup.js'
import { parts } from './swagger/parts.js'
import { logoutTold } from './swagger/logout-told.js'
import { references } from './swagger/references.js'

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
