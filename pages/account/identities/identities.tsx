import { useEffect } from 'preact/hooks'
import { Item } from '../../shared/frame/item.js'
import { Loading } from '../../shared/frame/loading.js'
import { date } from '../../shared/language/language.js'
import { Name, visible } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { useOutcome } from '../../shared/shell/outcome.js'
import { Page, Section } from '../../shared/shell/shell.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { leaveTo, takeLinking } from '../../shared/providers/round-trip.js'
import { obstacleHere } from '../../shared/session/client.js'
import { Refusal } from '../../shared/session/fault.js'
import { tabOnly } from '../../shared/session/tab-only.js'
import { useAccount } from '../account.js'
import { words } from '../words.js'

/** Leaves for a provider; this page is loaded anew at the end. */
const beginLinking = async (platform: string): Promise<void> => {
  // No token is left behind while another host has the tab.
  const obstacle = obstacleHere()
  if (obstacle) throw new Refusal(tabOnly(obstacle))
  await leaveTo(platform, { purpose: 'link', search: '' })
}

/** Links what a provider has sent back, and resolves to whether anything came back. */
const finishLinking = async (): Promise<boolean> => {
  const returned = takeLinking()
  if (!returned) return false
  const { platform, code, state, iss, verifier } = returned
  if (code === null || state === null || verifier === undefined) throw new Refusal(words.linkingFailed)
  const { socialTicket } = await request('POST /social/callback', {
    body: { platform, code, state, verifier, ...(iss !== null && { iss }) },
  })
  await request('POST /social/bind', { body: { socialTicket } })
  return true
}

/** The accounts at identity providers by which the person can sign in. */
export const Identities = () => {
  const { config } = useAccount()
  const linked = useLoaded(() => request('GET /social/bind'))
  const outcome = useOutcome()
  const begin = (platform: string) => {
    outcome.clear()
    beginLinking(platform).catch(outcome.fail)
  }
  const finish = (hasLinked: boolean) => {
    if (!hasLinked) return
    outcome.tell(words.linkedNow)
    linked.reload()
  }
  useEffect(() => void finishLinking().then(finish, outcome.fail), [])
  const unlink = (id: number, button: HTMLElement) =>
    outcome.remove(request('DELETE /social/bind/{id}', { path: { id } }), button, linked.reload, words.unlinked)
  return (
    <Page title={words.identities}>
      {outcome.notice}
      <Section heading={words.linked} hint={words.linkedHint}>
        <Loading of={linked}>
          {(list) => (
            <>
              {list.length === 0 && <p class="muted">{words.noneLinked}</p>}
              <ul class="items">
                {list.map(({ id, platformName, displayName, linkTime }) => (
                  <Item
                    key={id}
                    name={<Name text={platformName} />}
                    facts={[
                      displayName !== null && [<Name text={displayName} />, ' · '],
                      words.linkedOn(date(new Date(linkTime))),
                    ]}
                  >
                    <button
                      aria-label={words.unlinkThe(visible(platformName))}
                      onClick={({ currentTarget }) => unlink(id, currentTarget)}
                    >
                      {words.unlink}
                    </button>
                  </Item>
                ))}
              </ul>
              <div class="line">
                {config.socialPlatforms
                  .filter(({ platform, enabled }) => enabled && list.every((one) => one.platform !== platform))
                  .map(({ platform, platformName }) => (
                    <button key={platform} onClick={() => begin(platform)}>
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
