import { useEffect, useState } from 'preact/hooks'
import { Loading } from '../../shared/frame/loading.js'
import { Notice } from '../../shared/frame/notice.js'
import { say } from '../../shared/frame/status-line.js'
import { date } from '../../shared/language/language.js'
import { Name, visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { toFault } from '../../shared/session/fault.js'
import { Page, Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { useAccount } from '../account.js'
import { words } from '../words.js'
import { beginLinking, finishLinking } from './linking.js'

/** The accounts at identity providers by which the person can sign in. */
export const Identities = () => {
  const { config } = useAccount()
  const linked = useLoaded(() => request('GET /social/bind'))
  const [problem, setProblem] = useState<string>()
  const attempt = (work: Promise<string | undefined>) => {
    setProblem(undefined)
    work.then(
      (done) => {
        if (done === undefined) return
        say(done)
        linked.reload()
      },
      (error: unknown) => setProblem(toFault(error).message),
    )
  }
  useEffect(() => attempt(finishLinking()), [])
  return (
    <Page branding={config} title={words.identities}>
      <Section heading={words.linked} hint={words.linkedHint}>
        {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
        <Loading of={linked}>
          {(list) => (
            <>
              {list.length === 0 && <p class="muted">{words.noneLinked}</p>}
              <ul class="items">
                {list.map(({ id, platformName, displayName, linkTime }) => (
                  <li key={id}>
                    <div class="what">
                      <p>
                        <Name text={platformName} />
                      </p>
                      <p class="hint">
                        {displayName !== null && [<Name text={displayName} />, ' · ']}
                        {words.linkedOn(date(new Date(linkTime)))}
                      </p>
                    </div>
                    <button
                      aria-label={words.unlinkThe(visible(platformName))}
                      onClick={() =>
                        attempt(request('DELETE /social/bind/{id}', { path: { id } }).then(() => words.unlinked))
                      }
                    >
                      {words.unlink}
                    </button>
                  </li>
                ))}
              </ul>
              <div class="line">
                {config.socialPlatforms
                  .filter(({ platform, enabled }) => enabled && list.every((one) => one.platform !== platform))
                  .map(({ platform, platformName }) => (
                    <button key={platform} onClick={() => attempt(beginLinking(platform))}>
                      {words.linkTo(<Name text={platformName} />)}
                    </button>
                  ))}
              </div>
            </>
          )}
        </Loading>
      </Section>
    </Page>
  )
}
