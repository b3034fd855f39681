import { Item } from '../../shared/frame/item.js'
import { Loading } from '../../shared/frame/loading.js'
import { ago } from '../../shared/language/language.js'
import { request } from '../../shared/session/entered.js'
import { useOutcome, type Outcome } from '../../shared/shell/outcome.js'
import { Page, Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { deviceName } from '../../shared/language/device-name.js'
import { words } from '../words.js'
import { SignIns } from './sign-ins.js'

const Sessions = ({ outcome }: { outcome: Outcome }) => {
  const sessions = useLoaded(() => request('GET /auth/sessions'))
  const end = (work: Promise<unknown>, button: HTMLElement) =>
    outcome.remove(work, button, sessions.reload, words.ended)
  return (
    <Section heading={words.sessions} hint={words.sessionsHint}>
      <Loading of={sessions}>
        {(list) => (
          <>
            <ul class="items">
              {list.map(({ id, userAgent, loginIp, lastActiveTime, current }) => (
                <Item
                  key={id}
                  title={userAgent}
                  name={[deviceName(userAgent), ' ', current && <span class="badge good">{words.thisSession}</span>]}
                  facts={[loginIp, current ? words.activeNow : words.active(ago(new Date(lastActiveTime)))].join(' · ')}
                >
                  {!current && (
                    <button
                      aria-label={words.endSession(deviceName(userAgent))}
                      onClick={({ currentTarget }) =>
                        end(request('DELETE /auth/sessions/{id}', { path: { id } }), currentTarget)
                      }
                    >
                      {words.end}
                    </button>
                  )}
                </Item>
              ))}
            </ul>
            {list.length > 1 && (
              <div>
                <button
                  class="danger"
                  onClick={({ currentTarget }) => end(request('DELETE /auth/sessions'), currentTarget)}
                >
                  {words.endOthers}
                </button>
              </div>
            )}
          </>
        )}
      </Loading>
    </Section>
  )
}

/** Where the person is signed in, and the sign-ins so far. */
export const Activity = () => {
  const outcome = useOutcome()
  return (
    <Page title={words.activity}>
      {outcome.notice}
      <Sessions outcome={outcome} />
      <SignIns />
    </Page>
  )
}
