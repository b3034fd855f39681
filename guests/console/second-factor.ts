import type { SessionOwner } from '../../db/repositories/sessions.js'
import type { Language, Reason } from '../../schemas/problems.js'
import type { Settings } from '../../schemas/settings.js'
import { publicUrlOf } from '../../lib/public-url.js'

type Text = Record<Language, string>

interface Options {
  settings: Pick<Settings, 'publicUrl' | 'issuer' | 'secondFactor'>
  /** The pages of the service that are switched on. */
  served: readonly string[]
}

/**
 * What a second factor means for a front end that never asks for one. Its people see a sentence and nothing else, so it says where they
 * go on, and which settings decide.
 */
export const createSecondFactor = ({ settings, served }: Options) => {
  const { administration, trustDays } = settings.secondFactor
  const publicUrl = publicUrlOf(settings)

  /** A page of the service, as people find it. */
  const placeOf = (name: 'sign-in' | 'account' | 'console'): Text => {
    if (!served.includes(name)) return { en: 'the sign-in page of this service', zh: '本服务的登录页面' }
    if (publicUrl === undefined) return { en: `/${name} of this service`, zh: `本服务的 /${name}` }
    return { en: `${publicUrl}/${name}`, zh: ` ${publicUrl}/${name} ` }
  }
  const [signIn, account, console] = (['sign-in', 'account', 'console'] as const).map(placeOf) as [Text, Text, Text]

  /** How somebody with a second factor comes in here. */
  const wayIn: Text =
    trustDays > 0
      ? {
          en: 'trust this browser there, then sign in here again. Administrators: secondFactor.trustDays keeps this way open',
          zh: '选择信任此设备，再回到这里登录。管理员：此方式由设置 secondFactor.trustDays 控制',
        }
      : {
          en: 'go on there. Administrators: with secondFactor.trustDays above 0, people can sign in here after they have trusted their browser there',
          zh: '在该页面继续。管理员：将设置 secondFactor.trustDays 设为大于 0，信任设备后即可在这里登录',
        }

  const texts: Partial<Record<Reason, Text>> = {
    second_factor_required: {
      en: `A second step is needed, which this page cannot ask for: sign in at ${signIn.en} with this browser and ${wayIn.en}`,
      zh: `需要第二步验证，而此页面不支持：请用本浏览器在${signIn.zh}登录，${wayIn.zh}`,
    },
    second_factor_setup_required: {
      en: `Your administrator requires a second factor, which this page cannot ask for: set one up at ${signIn.en} with this browser, sign in there with it and ${wayIn.en}; secondFactor.policy, secondFactorRequired of tenants and roles and factorExempt of an account say who needs one`,
      zh: `管理员要求启用第二步验证，而此页面不支持：请用本浏览器在${signIn.zh}完成设置，再用它登录，${wayIn.zh}；谁须启用由设置 secondFactor.policy、租户和角色的 secondFactorRequired 以及账号的 factorExempt 决定`,
    },
  }

  /** Whether a session lacks the second factor that administration asks for: every page of the menu would be refused. */
  const lacksFactor = ({ session }: SessionOwner): boolean => administration === 'aal2' && session.acr !== 'aal2'

  const stepUp = (caller: SessionOwner, administers: boolean): Text => {
    if (administers && lacksFactor(caller))
      return {
        en: `Administration needs a second factor in the session, which this page cannot ask for: use ${console.en}. Administrators: secondFactor.administration: aal1 opens it here`,
        zh: `管理功能需要在会话中完成第二步验证，而此页面不支持：请使用${console.zh}。管理员：将设置 secondFactor.administration 设为 aal1 后可在这里使用`,
      }
    const place = administers ? console : account
    return {
      en: `Please confirm with your second factor first, which this page cannot ask for: do it at ${place.en}`,
      zh: `请先使用第二步验证确认身份，而此页面不支持：请在${place.zh}操作`,
    }
  }

  return {
    lacksFactor,
    /** The text of a refusal that this front end cannot answer; undefined for all others. */
    textOf(reason: Reason | undefined, caller: SessionOwner | undefined, administers: boolean): Text | undefined {
      if (reason === 'step_up_required' && caller) return stepUp(caller, administers)
      return reason === undefined ? undefined : texts[reason]
    },
  }
}

export type SecondFactor = ReturnType<typeof createSecondFactor>
