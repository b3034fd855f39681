import type { DocsWords } from '../en/docs.ts'

export { frame } from './frame.ts'

export const words: DocsWords = {
  title: 'API 文档',
  document: '文档',
  signIn: '登录',
  signedInAs: '已登录：',
  notLoaded: '文档加载失败，请重新加载页面。',
  lost: '重新加载页面后，您已退出登录。',
  inTab: '您仅在此标签页中登录：重新加载页面会退出登录。',
  server: (address) => `请求发往 ${address}`,
  about: '文档说明',
  authorization: '授权',
  close: '关闭',
  body: '请求正文',
  example: '示例',
  captcha: '验证码图片',
}
