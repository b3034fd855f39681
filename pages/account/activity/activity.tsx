import { useState } from 'preact/hooks'
import { Loading } from '../../shared/frame/loading.js'
import { Notice } from '../../shared/frame/notice.js'
import { say } from '../../shared/frame/status-line.js'
import { ago } from '../../shared/language/language.js'
import { request } from '../../shared/session/entered.js'
import { toFault } from '../../shared/session/fault.js'
import { Page, Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { useAccount } from '../account.js'
import { deviceName } from '../device-name.js'
import { words } from '../words.js'
import { SignIns } from './sign-ins.js'

const Sessions = () => {
  const sessions = useLoaded(() => request('GET /auth/sessions'))
  const [problem, setProblem] = useState<string>()
  const end = (work: Promise<unknown>) => {
    setProblem(undefined)
    work.then(
      () => {
        say(words.ended)
        sessions.reload()
      },
      (error: unknown) => setProblem(toFault(error).message),
    )
  }
  return (
    <Section heading={words.sessions} hint={words.sessionsHint}>
      {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
      <Loading of={sessions}>
        {(list) => (
          <>
            <ul class="items">
              {list.map(({ id, userAgent, loginIp, lastActiveTime, current }) => (
                <li key={id}>
                  <div class="what">
                    <p title={userAgent}>
                      {deviceName(userAgent)} {current && <span class="badge good">{words.thisSession}</span>}
                    </p>
                    <p class="hint">
                      {[loginIp, current ? words.activeNow : words.active(ago(new Date(lastActiveTime)))].join(' · ')}
                    </p>
                  </div>
                  {!current && (
                    <button
                      aria-label={words.endSession(deviceName(userAgent))}
                      onClick={() => end(request('DELETE /auth/sessions/{id}', { path: { id } }))}
                    >
                      {words.end}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {list.length > 1 && (
              <div>
                <button class="danger" onClick={() => end(request('DELETE /auth/sessions'))}>
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
export const Activity = () => (
  <Page branding={useAccount().config} title={words.activity}>
    <Sessions />
    <SignIns />
  </Page>
)
