/**
 * A script for Swagger UI: a button that leads to the sign-in page, where there is one, and the token of the page session. The mark in
 * the storage of the browser says that there may be a session (`pages/shared/session/client.ts`); strangers ask for none.
 */
export const signInButton = `const mark = 'rollcall-signed-in'

const isMarked = () => {
  try {
    return localStorage.getItem(mark) !== null
  } catch {
    return false
  }
}

const fillIn = async ({ authActions }) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch('../auth/refreshToken', { method: 'POST', headers, body: '{}' })
  if (answer.status === 401) localStorage.removeItem(mark)
  if (!answer.ok) return
  const { data } = await answer.json()
  // Not kept in the storage, unlike what is entered in the dialog.
  authActions.authorize({ bearer: { name: 'bearer', schema: { type: 'http', scheme: 'bearer' }, value: data.accessToken } })
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
          if (getConfigs().signIn && isMarked()) fillIn(system).catch(() => undefined)
          return original(...values)
        },
      },
    },
  },
  wrapComponents: {
    AuthorizeBtnContainer: (Original) => (props) => {
      const isOffered = getConfigs().signIn && !authSelectors.authorized()?.get('bearer')
      const button = React.createElement('button', { className: 'btn sign-in', onClick: signIn }, 'Sign in')
      return React.createElement(React.Fragment, null, isOffered && button, React.createElement(Original, props))
    },
  },
})

const bundle = SwaggerUIBundle
window.SwaggerUIBundle = Object.assign(
  (config) => bundle({ ...config, plugins: [...config.plugins, withSignIn] }),
  bundle,
)
`
