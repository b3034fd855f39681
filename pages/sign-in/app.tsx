import { LocationProvider, Route, Router } from 'preact-iso/router'
import { base } from '../shared/base.js'
import { FlowProvider, useFlow, type LoginConfig, type SignedIn } from './flow.js'
import { Asked } from './views/asked.js'
import { Change } from './views/change.js'
import { Codes } from './views/codes.js'
import { Done } from './views/done.js'
import { Factor } from './views/factor.js'
import { Forgot } from './views/forgot.js'
import { Invited } from './views/invited.js'
import { Register } from './views/register.js'
import { Return } from './views/return.js'
import { SetUp } from './views/set-up.js'
import { SigningIn } from './views/signing-in.js'
import { Start } from './views/start.js'

const path = `${base.pathname}sign-in`

const Pages = () => (
  <Router>
    <Route path={path} component={Start} />
    <Route path={`${path}/forgot`} component={Forgot} />
    <Route path={`${path}/register`} component={Register} />
    <Route path={`${path}/invited`} component={Invited} />
    <Route path={`${path}/return/:platform`} component={Return} />
  </Router>
)

const views = {
  start: Pages,
  resumed: SigningIn,
  asked: Asked,
  factor: Factor,
  setUp: SetUp,
  codes: Codes,
  change: Change,
  done: Done,
}

interface AppProps {
  config: LoginConfig
  tenantId: number | undefined
  /** The sign-in of before a reload. */
  resumed: SignedIn | undefined
}

export const App = ({ config, tenantId, resumed }: AppProps) => {
  const flow = useFlow(config, tenantId, resumed)
  const View = views[flow.step.kind]
  return (
    <LocationProvider scope={path}>
      <FlowProvider value={flow}>
        <View />
      </FlowProvider>
    </LocationProvider>
  )
}
