import { LocationProvider, Route, Router } from 'preact-iso/router'
import { useEffect, useState } from 'preact/hooks'
import { base, hasPage } from '../shared/base.js'
import { onSignedOutElsewhere, signOut } from '../shared/session/client.js'
import type { Me } from '../shared/session/entered.js'
import { Page, Shell } from '../shared/shell/shell.js'
import { AccountProvider, addressOf, useAccount, type LoginConfig } from './account.js'
import { Activity } from './activity/activity.js'
import { Identities } from './identities/identities.js'
import { Profile } from './profile/profile.js'
import { Password } from './security/password.js'
import { Security } from './security/security.js'
import { words } from './words.js'

const Missing = () => (
  <Page branding={useAccount().config} title={words.missing}>
    <p>
      <a href={addressOf('')}>{words.profile}</a>
    </p>
  </Page>
)

const leave = () => location.assign(`${base.href}sign-in`)

export const App = ({ config, me: first }: { config: LoginConfig; me: Me }) => {
  const [me, setMe] = useState(first)
  useEffect(() => onSignedOutElsewhere(leave), [])
  const links = [
    { href: addressOf(''), text: words.profile },
    { href: addressOf('security'), text: words.security },
    { href: addressOf('sessions'), text: words.activity },
    ...(config.socialPlatforms.length > 0 ? [{ href: addressOf('identities'), text: words.identities }] : []),
  ]
  const more = (
    <>
      {hasPage('console') && me.permissions.length > 0 && (
        <li>
          <a href={`${base.pathname}console`} target="_self">
            {words.console}
          </a>
        </li>
      )}
      <li>
        <button onClick={() => void signOut().then(leave, leave)}>{words.signOut}</button>
      </li>
    </>
  )
  return (
    <LocationProvider scope={addressOf('')}>
      <AccountProvider value={{ config, me, setMe }}>
        <Shell branding={config} label={words.account} home={addressOf('')} sections={[{ links }]} more={more}>
          <Router>
            <Route path={addressOf('')} component={Profile} />
            <Route path={addressOf('password')} component={Password} />
            <Route path={addressOf('security')} component={Security} />
            <Route path={addressOf('sessions')} component={Activity} />
            <Route path={addressOf('identities')} component={Identities} />
            <Route default component={Missing} />
          </Router>
        </Shell>
      </AccountProvider>
    </LocationProvider>
  )
}
