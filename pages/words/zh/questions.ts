import type { QuestionWords } from '../en/questions.ts'

export const questions: QuestionWords = {
  confirmItsYou: '确认是您本人',
  askPassword: '您登录已有一段时间，请输入密码以继续。',
  askFactor: '此项修改需要第二步验证。',
  factors: { passkey: '使用通行密钥', totp: '身份验证器中的验证码', recovery: '恢复码', password: '密码' },
  signInAgain: '请重新登录',
  notSignedIn: '您的会话已结束，尚未重新登录。您在此输入的内容会保留。',
  sessionEnded: '您的会话已结束。请在另一个窗口中重新登录，您在此输入的内容会保留。',
  otherAccount: (name) => ['您现在以 ', name, ' 的身份登录，之前未保存的内容已丢弃。'],
  leaveTitle: '离开本页？',
  leaveChanged: '您尚未保存，离开后修改的内容将丢失。',
  leave: '离开',
  stay: '留在本页',
}
