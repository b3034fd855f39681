import { Type } from '@sinclair/typebox'
import { nullable } from './ref.js'

const closed = { additionalProperties: false }

const brandingText = (description: string) => nullable(Type.String(), { default: null, description })

export const Branding = Type.Object(
  {
    systemName: brandingText('Name shown on the pages; `null` means `serviceName`, unless that is the preset'),
    systemLogo: brandingText('URL of a picture on the sign-in page'),
    browserTitle: brandingText('Title of the browser window'),
    copyrightInfo: brandingText('Line at the foot of the sign-in page'),
    color: Type.String({
      default: '#14616f',
      format: 'brand-color',
      description:
        'Color of a sign-in page, and behind the name of the service in mails, `#` and six hexadecimal digits; darkened until white text can be read on it',
    }),
    helpUrl: nullable(Type.String({ format: 'web-address' }), {
      default: null,
      description: 'Address of a page with help, for a link on the sign-in page',
    }),
  },
  {
    ...closed,
    default: {},
    description:
      'How the service looks: what `GET /auth/loginConfig` tells a sign-in page to show, and the color of mails.',
  },
)
