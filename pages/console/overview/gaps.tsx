import type { ComponentChildren } from 'preact'
import type { Operations } from '../../../client/index.js'
import { Icon } from '../../shared/frame/icon.js'
import { base, hasPage } from '../../shared/base.js'
import { countryName } from '../../shared/language/country-name.js'
import { dateAndTime, sentences } from '../../shared/language/language.js'
import { addressOf } from '../console.js'
import { words } from '../words.js'
import { backupCommand, configuration } from './blocks.js'

type Counts = Operations['GET /system/overview']['data']
type Gap = NonNullable<Counts['lacks']>[number]
type Failure = NonNullable<Counts['deliveryFailures']>[number]
type Installation = NonNullable<Counts['installation']>

/** What to write into the configuration or a shell. */
const HowTo = ({ code, where, test, title }: Pick<Step, 'code' | 'where' | 'test'> & { title: string }) => (
  <details>
    <summary>{title}</summary>
    <p class="hint">{where}</p>
    <pre class="mono">{code}</pre>
    {test && (
      <>
        <p class="hint">{sentences(words.overview.testMail, test.where)}</p>
        <pre class="mono">{test.code}</pre>
      </>
    )}
  </details>
)

/** A page of the account is another document. */
const OwnPage = ({ path, text }: { path: string; text: string }) => (
  <a class="button" href={`${base.pathname}account/${path}`} target="_self">
    {text}
  </a>
)

/** While it is lacking, the service takes this one. */
const presetRegion = 'CN'

interface Step {
  name: Gap
  title: string
  hint: string
  /** The way to do it: a link beside the text, or lines to copy below it, with where they belong. */
  way?: ComponentChildren
  code?: string
  where?: string
  /** How to try it, once the lines have their place. */
  test?: { code: string; where: string }
  /** What it is, once it is done. */
  value?: string | undefined
  /** What is said of it, once it is done. */
  remark?: string
  /** What the lines to copy are for; absent means to set it. */
  howTo?: string
}

/** Whether the page is open at another address than the public one: there passkeys and links in mails lead elsewhere. */
const isElsewhere = ({ publicUrl }: Installation): boolean =>
  publicUrl !== null && new URL(publicUrl).origin !== location.origin

/** What is said of a way whose last message could not be delivered: the command asks its server. */
const failing = (
  failure: Failure,
  say: (time: string, reason: string) => string,
  installation: Installation,
): Pick<Step, 'hint' | 'code' | 'where' | 'howTo'> => {
  const reason = words.overview.failures[failure.reason]
  return {
    hint: say(
      dateAndTime(new Date(failure.time)),
      failure.status === undefined ? reason : words.overview.failedWith(reason, failure.status),
    ),
    howTo: words.overview.findOut,
    code: `${installation.command} doctor`,
    where: words.overview.inShell(installation),
  }
}

const steps = ({ installation, isOwnFactorLacking, failures, region }: Omit<GapsProps, 'lacks' | 'has'>): Step[] => {
  const mail = failures.find(({ way }) => way === 'mail')
  const sms = failures.find(({ way }) => way === 'sms')
  const where = words.overview.inConfiguration(installation.configFile, installation.inContainer)
  return [
    {
      name: 'ownPassword',
      title: words.overview.ownPassword,
      hint: words.overview.ownPasswordHint,
      way: hasPage('account') && <OwnPage path="password" text={words.overview.changeIt} />,
    },
    {
      name: 'publicUrl',
      title: words.overview.publicUrl,
      hint: words.overview.publicUrlHint,
      value: installation.publicUrl ?? undefined,
      ...(isElsewhere(installation) && { remark: words.overview.elsewhere(location.origin) }),
      code: configuration.publicUrl,
      where,
    },
    {
      name: 'mail',
      title: words.overview.mail,
      ...(mail
        ? failing(mail, words.overview.mailFailed, installation)
        : {
            hint: words.overview.mailHint,
            value: words.overview.isSet,
            code: configuration.mail,
            where,
            test: {
              where: words.overview.inShell(installation),
              code: `${installation.command} doctor --send-mail you@example.com`,
            },
          }),
    },
    {
      name: 'sms',
      title: words.overview.sms,
      ...(sms ? failing(sms, words.overview.smsFailed, installation) : { hint: '' }),
    },
    {
      name: 'phoneRegion',
      title: words.overview.phoneRegion,
      hint: words.overview.phoneRegionHint(countryName(presetRegion)),
      value: region === null ? words.overview.everyCode : countryName(region),
      code: configuration.phoneRegion,
      where,
    },
    {
      name: 'administratorFactor',
      title: words.overview.administratorFactor,
      hint: words.overview.administratorFactorHint,
      way:
        isOwnFactorLacking && hasPage('account') ? (
          <OwnPage path="security" text={words.overview.setItUp} />
        ) : (
          <a class="button" href={addressOf('users?userType=0&hasSecondFactor=false')}>
            {words.overview.showThem}
          </a>
        ),
    },
    {
      name: 'backup',
      title: words.overview.backup,
      hint: words.overview.backupHint,
      code: backupCommand(installation),
      where: words.overview.everyNight(installation),
    },
  ]
}

interface GapsProps {
  lacks: readonly Gap[]
  has: readonly Gap[]
  failures: readonly Failure[]
  installation: Installation
  isOwnFactorLacking: boolean
  /** Of phone numbers; null: each has its country code. */
  region: string | null
}

/** What a new installation still lacks, each with the way to do it. What is done stays as a line. */
export const Gaps = ({ lacks, has, ...state }: GapsProps) => {
  const all = steps(state).filter(({ name }) => lacks.includes(name) || has.includes(name))
  const done = all.filter(({ name }) => !lacks.includes(name)).length
  return (
    <section class="stack tight narrow" aria-labelledby="lacks">
      <div class="line">
        <h2 id="lacks">{words.overview.lacks}</h2>
        <span class="muted">{words.overview.doneOf(done, all.length)}</span>
      </div>
      <ul class="items">
        {all.map((step) => {
          const { name, title, hint, way, value, remark, code, where, test, howTo = words.overview.howTo } = step
          const isDone = !lacks.includes(name)
          return (
            <li key={name}>
              <span class={isDone ? 'met' : 'muted'}>
                <Icon name={isDone ? 'tick' : 'ring'} />
              </span>
              <div class="what">
                <p>
                  {title}{' '}
                  {isDone &&
                    (value === undefined ? (
                      <span class="sr">{words.overview.done}</span>
                    ) : (
                      <span class="muted">{words.overview.doneWith(value)}</span>
                    ))}
                </p>
                {!isDone && <p class="hint">{hint}</p>}
                {isDone && remark !== undefined && <p class="hint">{remark}</p>}
                {!isDone && code !== undefined && <HowTo title={howTo} code={code} where={where} test={test} />}
                {isDone && test && <HowTo title={words.overview.howToTest} {...test} test={undefined} />}
              </div>
              {!isDone && way}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
