import { LocationProvider, Route, Router } from 'preact-iso/router'
import type { Me } from '../shared/session/entered.js'
import type { LoginConfig } from '../shared/shell/begin.js'
import { Shell } from '../shared/shell/shell.js'
import { addressOf, consoleOf, ConsoleProvider } from './console.js'
import { Missing } from './missing.js'
import { rooms } from './rooms.js'
import { words } from './words.js'

export const App = ({ config, me }: { config: LoginConfig; me: Me }) => {
  const value = consoleOf(config, me, rooms())
  const sections = [undefined, 'directory', 'activity'].map((group) => ({
    ...(group !== undefined && { heading: words.common.groups[group as 'directory'] }),
    links: value.rooms
      .filter((room) => room.group === group && room.text !== undefined)
      .map(({ path, text = '' }) => ({ href: addressOf(path), text, isFolder: path !== '' })),
  }))
  return (
    <LocationProvider scope={addressOf('')}>
      <ConsoleProvider value={value}>
        <Shell
          branding={config}
          label={words.common.console}
          home={addressOf('')}
          sections={sections.filter(({ links }) => links.length > 0)}
          otherPage={{ name: 'account', text: words.common.account }}
          isDense
        >
          <Router>
            {value.rooms.map(({ path, component }) => (
              <Route key={path} path={addressOf(path)} component={component} />
            ))}
            <Route default component={Missing} />
          </Router>
        </Shell>
      </ConsoleProvider>
    </LocationProvider>
  )
}
