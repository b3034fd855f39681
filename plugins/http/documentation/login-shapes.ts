import { defaultAuthType, loginExample, type LoginRequest } from '../../../schemas/login.js'
import type { LoginMethod } from '../../identity/login/registry.js'
import { firstAnswers } from '../../../schemas/first-answers.js'
import { describeFirstAnswer } from './first-answers.js'
import { refer, type Document, type Schema } from './document.js'

type Field = keyof LoginRequest
const inEachShape: Field[] = ['tenantId', 'userClient']
const ofCaptcha: Field[] = ['code', 'codeKey']

/** `PasswordCaptchaLogin` for `password_captcha`. */
const nameOfShape = ({ name }: LoginMethod): string =>
  `${name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Login`

/** What the examples of the shapes answer on a new installation. */
export const loginExampleTexts = (methods: LoginMethod[]): Map<string, string> =>
  new Map(
    methods.flatMap((method) =>
      method.firstAnswer ? [[nameOfShape(method), describeFirstAnswer(firstAnswers[method.firstAnswer])] as const] : [],
    ),
  )

/** The fields of a request: `authType`, the required ones, and others. */
const fieldsOf = ({ needs, takes, captcha }: LoginMethod, all: Field[]) => {
  const required = [...(typeof needs === 'function' ? [] : needs), ...(captcha === 'required' ? ofCaptcha : [])]
  const optional = [...(takes ?? all), ...(captcha === 'configured' ? ofCaptcha : []), ...inEachShape]
  return { required, properties: [...new Set<Field>(['authType', ...required, ...optional])] }
}

/**
 * Describes a sign-in as one shape for each method. Requests are validated by the flat form, in which all fields are
 * optional. There is no `discriminator`: OpenAPI demands that its property is required, and `authType` may be absent.
 */
export const describeLogin = ({ components: { schemas } }: Document, methods: LoginMethod[]): void => {
  const flat = schemas['LoginRequest'] as {
    properties: Record<Field, Schema>
    description: string
    examples: unknown[]
  }
  for (const method of methods) {
    const { required, properties } = fieldsOf(method, Object.keys(flat.properties) as Field[])
    const authType = { type: 'string', enum: [method.name], description: 'Authentication method' }
    schemas[nameOfShape(method)] = {
      type: 'object',
      description: method.summary,
      required: [...(method.name === defaultAuthType ? [] : ['authType']), ...required],
      properties: {
        ...Object.fromEntries(properties.map((field) => [field, flat.properties[field]])),
        authType,
      },
      ...(method.example === undefined ? {} : { examples: [method.example] }),
    }
  }
  schemas['LoginRequest'] = {
    description: `One shape for each \`authType\`; without it, that of \`${defaultAuthType}\`. ${flat.description}`,
    oneOf: methods.map((method) => refer('schemas', nameOfShape(method))),
    examples: flat.examples,
    // Of a shape with branches Insomnia reads only this; without it the body that it fills in is `null`.
    example: loginExample,
  }
}
