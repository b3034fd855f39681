import type { Plugin } from '@fastify/swagger-ui/static/swagger-ui-bundle.js'

/** Tells when somebody presses Logout in the dialog. */
export const logoutTold = (onLogout: () => void): Plugin => ({
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
