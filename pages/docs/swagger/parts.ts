import type { Plugin } from '@fastify/swagger-ui/static/swagger-ui-bundle.js'
import { base } from '../../shared/base.js'
import { words } from '../words.js'

/** Parts of Swagger UI that are other ones here. */
export const parts: Plugin = {
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
