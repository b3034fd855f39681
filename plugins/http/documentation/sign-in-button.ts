/**
 * A script for Swagger UI: a button that leads to the sign-in page, where there is one, and the token of the page session. The mark in
 * the storage of the browser says that there may be a session (`pages/shared/session/client.ts`); strangers ask for none.
 */
export const signInButton = `const mark = 'rollcall-signed-in'
const handed = 'rollcall-handed-over'
const tab = 'rollcall-tab-only'
let isInTab = false
let token

const isMarked = () => {
  try {
    return localStorage.getItem(mark) !== null
  } catch {
    return false
  }
}

// What the sign-in page leaves where the browser keeps no cookie of the session (pages/shared/session/tab.ts). Taken out at once.
const takeHanded = () => {
  try {
    const text = sessionStorage.getItem(handed)
    sessionStorage.removeItem(handed)
    return JSON.parse(text)?.token
  } catch {
    return undefined
  }
}

const reasons = {
  address: 'the service does not know it as its own. Set publicUrl to it',
  encryption: 'it is not encrypted, but the service takes it for https. Open it with https, or set publicUrl to it and let the proxy send the true X-Forwarded-Proto',
  cookie: 'the cookie of the service does not come back. Allow cookies, let the proxy pass Set-Cookie and Cookie on, and set publicUrl to it',
}

const note = (isAuthorized) => {
  let reason
  try {
    reason = reasons[sessionStorage.getItem(tab)]
  } catch {
    return undefined
  }
  if (reason === undefined || (isAuthorized && !isInTab)) return undefined
  const state = isAuthorized
    ? 'You are signed in in this tab only: loading the page again signs you out.'
    : 'Loading the page again has signed you out.'
  return state + ' No session is kept at this address: ' + reason + '.'
}

const authorize = ({ authActions }, value) =>
  // Not kept in the storage, unlike what is entered in the dialog.
  authActions.authorize({ bearer: { name: 'bearer', schema: { type: 'http', scheme: 'bearer' }, value } })

const fillIn = async (system) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch('../auth/refreshToken', { method: 'POST', headers, body: '{}' })
  if (answer.status === 401) localStorage.removeItem(mark)
  if (!answer.ok) return
  const { data } = await answer.json()
  authorize(system, data.accessToken)
}

const begin = (system) => {
  token = takeHanded()
  isInTab = token !== undefined
  if (!isInTab && isMarked()) fillIn(system).catch(() => undefined)
}

const signIn = () => {
  const next = location.pathname + location.hash
  location.assign('../sign-in?' + new URLSearchParams({ next }))
}

const withSignIn = ({ React, getConfigs, authSelectors }) => ({
  statePlugins: {
    configs: {
      wrapActions: {
        loaded: (original, system) => (...values) => {
          if (getConfigs().signIn) begin(system)
          return original(...values)
        },
      },
    },
  },
  wrapComponents: {
    AuthorizeBtnContainer: (Original, system) => (props) => {
      React.useEffect(() => {
        // Before, Swagger UI would begin with nothing authorized.
        if (token !== undefined) authorize(system, token)
        token = undefined
      }, [])
      const isAuthorized = Boolean(authSelectors.authorized()?.get('bearer'))
      const isOffered = getConfigs().signIn && !isAuthorized
      const told = getConfigs().signIn && note(isAuthorized)
      const button = React.createElement('button', { className: 'btn sign-in', onClick: signIn }, 'Sign in')
      const text = told && React.createElement('p', { className: 'sign-in-note', role: 'status' }, told)
      return React.createElement(React.Fragment, null, text, isOffered && button, React.createElement(Original, props))
    },
  },
})

const bundle = SwaggerUIBundle
window.SwaggerUIBundle = Object.assign(
  (config) => bundle({ ...config, plugins: [...config.plugins, withSignIn] }),
  bundle,
)
`
