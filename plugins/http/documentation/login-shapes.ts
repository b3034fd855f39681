import { builtInAuthTypes, defaultAuthType, loginExample, type LoginRequest } from '../../../schemas/login.js'
import { describeFirstAnswer, type FirstAnswerName } from './first-answers.js'
import { refer, type Document, type Schema } from './document.js'

type Field = keyof LoginRequest
interface Shape {
  name: string
  summary: string
  required: Field[]
  optional: Field[]
  /** Absent means the required fields. */
  example?: LoginRequest
  /** What the example answers on a new installation. */
  firstAnswer: FirstAnswerName
}

/** The fields of a sign-in by each built-in method. That the server asks for the required ones is tested. */
const shapes: Record<(typeof builtInAuthTypes)[number], Shape> = {
  password: {
    name: 'PasswordLogin',
    summary: 'Sign-in by user name and password, and a captcha after the answer `captcha_required`',
    required: ['username', 'password'],
    optional: ['code', 'codeKey'],
    example: loginExample,
    firstAnswer: 'passwordMissing',
  },
  password_captcha: {
    name: 'PasswordCaptchaLogin',
    summary: 'Sign-in by user name and password with a captcha',
    required: ['username', 'password', 'code', 'codeKey'],
    optional: [],
    example: { authType: 'password_captcha', ...loginExample, code: '', codeKey: '' },
    firstAnswer: 'passwordMissing',
  },
  phone_captcha: {
    name: 'PhoneCaptchaLogin',
    summary: 'Sign-in by the one-time code of `POST /auth/captcha/sms`',
    required: ['phone', 'code'],
    optional: ['codeKey'],
    firstAnswer: 'noSms',
  },
  email_captcha: {
    name: 'EmailCaptchaLogin',
    summary: 'Sign-in by the one-time code of `POST /auth/captcha/email`',
    required: ['email', 'code'],
    optional: ['codeKey'],
    firstAnswer: 'noMail',
  },
  oauth2: {
    name: 'Oauth2Login',
    summary:
      'Sign-in by an authorization code and its state, or by a ticket; the code of a mini-program (`userClient: wechat`) has no state',
    required: [],
    optional: ['authCode', 'state', 'verifier', 'iss', 'socialTicket'],
    example: { authType: 'oauth2', authCode: '0b8c4f1e7a', state: 'github_m3Yk0d4xQkq1x2b3c4d5eg' },
    firstAnswer: 'noProvider',
  },
  social: {
    name: 'SocialLogin',
    summary: 'Sign-in by the ticket of `POST /social/callback`',
    required: ['socialTicket'],
    optional: ['verifier'],
    firstAnswer: 'noProvider',
  },
}
/** What the example of each shape answers on a new installation. */
export const loginExampleTexts: Record<string, string> = Object.fromEntries(
  Object.values(shapes).map(({ name, firstAnswer }) => [name, describeFirstAnswer(firstAnswer)]),
)

const inEachShape: Field[] = ['tenantId', 'userClient']

/**
 * Describes a sign-in as one shape for each method. Requests are validated by the flat form, in which all fields are
 * optional. There is no `discriminator`: OpenAPI demands that its property is required, and `authType` may be absent.
 * Methods of other plugins share a shape with all fields.
 */
export const describeLogin = ({ components: { schemas } }: Document, authTypes: string[]): void => {
  const flat = schemas['LoginRequest'] as {
    properties: Record<string, Schema>
    description: string
    examples: unknown[]
  }
  const authTypeOf = (values: string[]) => ({ type: 'string', enum: values, description: 'Authentication method' })
  const names = builtInAuthTypes.map((authType) => {
    const { name, summary, required, optional, example } = shapes[authType]
    const fields = [...required, ...optional, ...inEachShape].map((field) => [field, flat.properties[field]])
    schemas[name] = {
      type: 'object',
      description: summary,
      required: [...(authType === defaultAuthType ? [] : ['authType']), ...required],
      properties: { authType: authTypeOf([authType]), ...Object.fromEntries(fields) },
      ...(example === undefined ? {} : { examples: [example] }),
    }
    return name
  })
  const others = authTypes.filter((authType) => !(authType in shapes))
  if (others.length > 0) {
    names.push('OtherLogin')
    const properties = { ...flat.properties, authType: authTypeOf(others) }
    schemas['OtherLogin'] = {
      type: 'object',
      description: 'Sign-in by a method of a plugin',
      required: ['authType'],
      properties,
    }
  }
  schemas['LoginRequest'] = {
    description: `One shape for each \`authType\`; without it, that of \`${defaultAuthType}\`. ${flat.description}`,
    oneOf: names.map((name) => refer('schemas', name)),
    examples: flat.examples,
    // Of a shape with branches Insomnia reads only this; without it the body that it fills in is `null`.
    example: loginExample,
  }
}
