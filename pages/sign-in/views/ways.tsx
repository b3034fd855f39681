import { frame } from '../../shared/language/frame-words.js'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../shared/frame/icon.js'
import { Notice } from '../../shared/frame/notice.js'
import { say } from '../../shared/frame/status-line.js'
import { initials, Name } from '../../shared/language/visible.js'
import {
  canUsePasskeys,
  forgetPasskey,
  passkeyObstacle,
  provePasskey,
  stopWaiting,
  waitForPasskey,
} from '../../shared/passkeys/passkeys.js'
import { client } from '../../shared/session/client.js'
import { addressOf, keptSearch } from '../address.js'
import { useSignIn, type Flow } from '../flow.js'
import { leaveTo } from '../../shared/providers/round-trip.js'
import { isRefusal } from '../../shared/session/fault.js'
import { words } from '../words.js'
import { codeWays } from './code-sign-in.js'

/** Signs in by a passkey alone, which is both factors. */
const signInByPasskey = async (
  { config, signIn }: Pick<Flow, 'config' | 'signIn'>,
  credential: Awaited<ReturnType<typeof provePasskey>>,
): Promise<void> => {
  try {
    await signIn({ authType: 'passkey', credential })
  } catch (error) {
    if (isRefusal(error, 'unknown_credential') && config.passkeys)
      await forgetPasskey(config.passkeys.rpId, credential.id)
    throw error
  }
}

interface WaysProps {
  hasPassword: boolean
  /** Called with undefined when a new try begins. */
  onFault: (error?: unknown) => void
}

const askForOptions = () => client.call('POST /auth/passkey/options', { body: {} })

const usePasskeys = (isOffered: boolean, onFault: WaysProps['onFault']) => {
  const flow = useSignIn()
  // Waiting among the suggestions begins anew after each try.
  const [tries, setTries] = useState(0)
  const attempt = async (work: () => Promise<void>) => {
    onFault()
    try {
      await work()
    } catch (error) {
      onFault(error)
      setTries((count) => count + 1)
    } finally {
      say('')
    }
  }
  useEffect(() => {
    if (!isOffered) return
    return waitForPasskey(askForOptions, (credential) => void attempt(() => signInByPasskey(flow, credential)))
  }, [isOffered, tries])
  return () =>
    attempt(async () => {
      await stopWaiting()
      say(words.passkeyWait)
      await signInByPasskey(flow, await provePasskey(await askForOptions()))
    })
}

const Logo = ({ name, logo }: { name: string; logo: string | null }) =>
  logo === null ? (
    <span class="mark plain" aria-hidden="true">
      {initials(name)}
    </span>
  ) : (
    <img class="mark plain" src={logo} alt="" />
  )

/** The ways beside name and password. */
export const Ways = ({ hasPassword, onFault }: WaysProps) => {
  const { config, tenant } = useSignIn()
  const offersPasskeys = config.authTypes.includes('passkey') && config.passkeys !== null
  const hasPasskeys = offersPasskeys && canUsePasskeys()
  const usePasskey = usePasskeys(hasPasskeys, onFault)
  const codes = codeWays.filter(({ authType }) => config.authTypes.includes(authType))
  const providers = config.socialPlatforms.filter(({ enabled }) => enabled)
  const isEmpty = !hasPasskeys && codes.length === 0 && providers.length === 0
  return (
    <>
      {hasPassword && !isEmpty && <div class="or">{words.or}</div>}
      {!isEmpty && (
        <div class="stack tight">
          <div class="two">
            {hasPasskeys && (
              <button onClick={() => void usePasskey()}>
                <Icon name="key" /> {frame.usePasskey}
              </button>
            )}
            {codes.map(({ way, icon, label }) => (
              <a class="button" href={addressOf('sign-in', { way })} key={way}>
                <Icon name={icon} /> {label()}
              </a>
            ))}
          </div>
          {providers.map(({ platform, platformName, platformLogo }) => (
            <button
              key={platform}
              onClick={() =>
                void leaveTo(platform, { purpose: 'sign-in', search: keptSearch(), ...tenant }).catch(onFault)
              }
            >
              <Logo name={platformName} logo={platformLogo} /> <Name text={platformName} />
            </button>
          ))}
        </div>
      )}
      {offersPasskeys && !hasPasskeys && <Notice kind="warn">{passkeyObstacle()}</Notice>}
    </>
  )
}
