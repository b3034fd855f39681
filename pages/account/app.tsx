import { LocationProvider, Route, Router } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import type { Me } from '../shared/session/entered.js'
import type { LoginConfig } from '../shared/shell/begin.js'
import { Page, Shell } from '../shared/shell/shell.js'
import { AccountProvider, addressOf } from './account.js'
import { Activity } from './activity/activity.js'
import { brought } from './guests.js'
import { Identities } from './identities/identities.js'
import { Profile } from './profile/profile.js'
import { Password } from './security/password.js'
import { Security } from './security/security.js'
import { words } from './words.js'

const Missing = () => (
  <Page title={words.missing}>
    <p>
      <a href={addressOf('')}>{words.profile}</a>
    </p>
  </Page>
)

export const App = ({ config, me: first }: { config: LoginConfig; me: Me }) => {
  const [me, setMe] = useState(first)
  const further = brought.flatMap(({ rooms }) => rooms).filter(({ isFor }) => isFor?.(me) ?? true)
  const links = [
    { href: addressOf(''), text: words.profile },
    { href: addressOf('security'), text: words.security },
    { href: addressOf('sessions'), text: words.activity },
    ...(config.socialPlatforms.length > 0 ? [{ href: addressOf('identities'), text: words.identities }] : []),
    ...further.map(({ path, text }) => ({ href: addressOf(path), text })),
  ]
  return (
    <LocationProvider scope={addressOf('')}>
      <AccountProvider value={{ config, me, setMe }}>
        <Shell
          branding={config}
          label={words.account}
          home={addressOf('')}
          sections={[{ links }]}
          otherPage={me.permissions.length > 0 && { name: 'console', text: words.console }}
        >
          <Router>
            <Route path={addressOf('')} component={Profile} />
            <Route path={addressOf('password')} component={Password} />
            <Route path={addressOf('security')} component={Security} />
            <Route path={addressOf('sessions')} component={Activity} />
            <Route path={addressOf('identities')} component={Identities} />
            {further.map(({ path, component }) => (
              <Route key={path} path={addressOf(path)} component={component} />
            ))}
            <Route default component={Missing} />
          </Router>
        </Shell>
      </AccountProvider>
    </LocationProvider>
  )
}
