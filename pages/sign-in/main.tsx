import { render } from 'preact'
import './style.css'
import { toFault } from '../shared/session/fault.js'
import { client, resume } from '../shared/session/client.js'
import { keepTenant } from '../shared/session/sign-in-address.js'
import { setParty } from '../shared/passkeys/passkeys.js'
import { StatusLine } from '../shared/frame/status-line.js'
import { tenantOf } from './address.js'
import { App } from './app.js'
import { restoreReturn } from '../shared/providers/round-trip.js'
import { Unavailable } from './views/unavailable.js'
import { loadWords } from './words.js'

// Before anything reads the address.
restoreReturn()
const tenantId = tenantOf(location.search)
// Without `await`: what is loaded later imports the script that this is in, and would wait for its end.
void Promise.allSettled([
  client.call('GET /auth/loginConfig', { query: tenantId === undefined ? {} : { tenantId } }),
  resume(),
  loadWords(),
]).then(([config, resumed]) => {
  if (config.status === 'fulfilled') {
    document.documentElement.style.setProperty('--brand', config.value.color)
    setParty(config.value.passkeys)
  }
  // Of a tenant that is none any more; otherwise each way to this page would lead back to it.
  else if (tenantId !== undefined && toFault(config.reason).reason === 'invalid_request') keepTenant(undefined)
  document.body.replaceChildren()
  render(
    <>
      {config.status === 'fulfilled' ? (
        <App
          config={config.value}
          tenantId={tenantId}
          resumed={resumed.status === 'fulfilled' ? resumed.value : undefined}
        />
      ) : (
        <Unavailable fault={toFault(config.reason)} isTenant={tenantId !== undefined} />
      )}
      <StatusLine />
    </>,
    document.body,
  )
})
