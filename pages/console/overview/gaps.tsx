import type { ComponentChildren } from 'preact'
import type { Operations } from '../../../client/index.js'
import { Icon } from '../../shared/frame/icon.js'
import { base, hasPage } from '../../shared/base.js'
import { addressOf } from '../console.js'
import { words } from '../words.js'

type Gap = NonNullable<Operations['GET /system/overview']['data']['lacks']>[number]

/** What to write into a configuration or a shell. */
const HowTo = ({ code }: { code: string }) => (
  <details>
    <summary>{words.overview.howTo}</summary>
    <p class="hint">{code === backup ? words.overview.everyNight : words.overview.inConfiguration}</p>
    <pre class="mono">{code}</pre>
  </details>
)

const publicUrl = `"publicUrl": "https://id.example.com"`
const mail = `"mail": {
  "host": "smtp.example.com",
  "port": 587,
  "from": "Example <no-reply@example.com>"
}`

const backup = 'rollcall backup /backups/rollcall-$(date +%F).db'

interface Step {
  name: Gap
  title: string
  hint: string
  /** The way to do it: a link beside the text, or lines to copy below it. */
  way?: ComponentChildren
  code?: string
}

const steps = (): Step[] => [
  {
    name: 'ownPassword',
    title: words.overview.ownPassword,
    hint: words.overview.ownPasswordHint,
    way: hasPage('account') && (
      <a class="button" href={`${base.pathname}account/password`} target="_self">
        {words.overview.changeIt}
      </a>
    ),
  },
  {
    name: 'publicUrl',
    title: words.overview.publicUrl,
    hint: words.overview.publicUrlHint,
    code: publicUrl,
  },
  {
    name: 'mail',
    title: words.overview.mail,
    hint: words.overview.mailHint,
    code: mail,
  },
  {
    name: 'administratorFactor',
    title: words.overview.administratorFactor,
    hint: words.overview.administratorFactorHint,
    way: (
      <a class="button" href={addressOf('users?userType=0&hasSecondFactor=false')}>
        {words.overview.showThem}
      </a>
    ),
  },
  { name: 'backup', title: words.overview.backup, hint: words.overview.backupHint, code: backup },
]

/** What a new installation still lacks, each with the way to do it. What is done stays as a line. */
export const Gaps = ({ lacks }: { lacks: readonly Gap[] }) => {
  // The service knows of backups of SQLite only: where it says nothing, there may be none.
  const all = steps().filter(({ name }) => name !== 'backup' || lacks.includes(name))
  const done = all.filter(({ name }) => !lacks.includes(name)).length
  return (
    <section class="stack tight narrow" aria-labelledby="lacks">
      <div class="line">
        <h2 id="lacks">{words.overview.lacks}</h2>
        <span class="muted">{words.overview.doneOf(done, all.length)}</span>
      </div>
      <ul class="items">
        {all.map(({ name, title, hint, way, code }) => {
          const isDone = !lacks.includes(name)
          return (
            <li key={name}>
              <span class={isDone ? 'met' : 'muted'}>
                <Icon name={isDone ? 'tick' : 'ring'} />
              </span>
              <div class="what">
                <p>
                  {title} {isDone && <span class="sr">{words.overview.done}</span>}
                </p>
                {!isDone && <p class="hint">{hint}</p>}
                {!isDone && code !== undefined && <HowTo code={code} />}
              </div>
              {!isDone && way}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
