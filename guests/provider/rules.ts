import type { OwnRule } from '../../lib/violations.js'

export const rules = {
  redirectUri: {
    en: 'must be an address that begins with https://, without * and without #; http:// only for localhost, and a scheme such as com.example.app: only for native applications',
    zh: '必须是以 https:// 开头的地址，不含 * 和 #；仅 localhost 可用 http://，仅原生应用可用 com.example.app: 之类的协议',
  },
  webUri: {
    en: 'must be an address such as https://grafana.example.com/, without a user name and without #',
    zh: '必须是 https://grafana.example.com/ 之类的地址，不含用户名和 #',
  },
  pkce: {
    en: 'can be optional for confidential applications only',
    zh: '仅对保密型应用可设为 optional',
  },
  clientId: {
    en: 'must have 2 to 100 letters, digits, . _ ~ or -, and begin with a letter or digit',
    zh: '须为 2 至 100 个字母、数字或 . _ ~ -，且以字母或数字开头',
  },
  noSecret: {
    en: 'keeps no secret: it is no confidential application',
    zh: '不是保密型应用，没有密钥',
  },
  noTenant: { en: 'there is no tenant with the id {id}', zh: '没有 ID 为 {id} 的租户' },
  noAddress: {
    en: 'must have at least one address: where people are sent back to',
    zh: '至少需要一个登录后返回的地址',
  },
  noResource: {
    en: 'it is none of provider.resources: {known}',
    zh: '不在 provider.resources 中：{known}',
  },
  serviceAccountOf: {
    en: 'is for confidential applications only',
    zh: '仅限保密型应用',
  },
  noServiceAccount: {
    en: 'must be the id of a service account of the tenant of the application',
    zh: '必须是应用所属租户的服务账号的 ID',
  },
  notOfType: {
    en: 'is not for applications of the type {type}',
    zh: '不适用于 {type} 类型的应用',
  },
  noHost: {
    en: 'must have at least one host, such as wiki.example.com',
    zh: '至少需要一个主机，例如 wiki.example.com',
  },
  host: {
    en: 'must be a host such as wiki.example.com, which people open by https: browsers keep its cookie from other hosts by https only. http:// is for this machine alone, such as http://localhost:8080',
    zh: '必须是用户通过 https 打开的主机，例如 wiki.example.com：浏览器仅在 https 下使其 Cookie 与其他主机隔离。http:// 仅限本机，例如 http://localhost:8080',
  },
  hostTaken: { en: 'is a host of another application already', zh: '已是其他应用的主机' },
  path: {
    en: 'must be a path such as /public, as browsers send it: without .., //, ;, %, ? and #',
    zh: '必须是浏览器所发送的路径，例如 /public，不含 ..、//、;、%、? 和 #',
  },
  openid: { en: 'must have openid', zh: '必须包含 openid' },
} as const satisfies Record<string, OwnRule>
