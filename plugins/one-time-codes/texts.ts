import type { Language } from '../../schemas/problems.js'

interface Values {
  code: string
  /** Name of the service. */
  service: string
  /** Validity, minutes. */
  minutes: number
}

/** `subject` and `body` of the message; `sent` is the `message` of the response. */
export const texts: Record<
  Language,
  { subject: (values: Values) => string; body: (values: Values) => string; sent: string }
> = {
  en: {
    subject: ({ service }) => `${service}: your sign-in code`,
    body: ({ code, service, minutes }) =>
      `${code} is your sign-in code for ${service}. It is valid for ${minutes} minutes. If you did not ask for it, ignore this message and do not share the code with anyone.`,
    sent: 'The code is on its way',
  },
  zh: {
    subject: ({ service }) => `${service} 登录验证码`,
    body: ({ code, service, minutes }) =>
      `您的 ${service} 登录验证码为 ${code}，${minutes} 分钟内有效。如非本人操作，请忽略本消息，切勿将验证码告知他人。`,
    sent: '验证码已发送',
  },
}
