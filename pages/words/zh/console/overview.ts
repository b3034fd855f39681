import type { ConsoleWords } from '../../en/console.js'
import { spaced } from '../spaced.ts'

export const overview: ConsoleWords['overview'] = {
  title: '概览',
  noPermission: (name) => spaced`您以 ${name} 的身份登录，该账号在这里没有任何权限。管理员可以为它分配角色。`,
  noPage: (name) => spaced`您以 ${name} 的身份登录，该账号的角色不能打开控制台的任何页面，请联系管理员。`,
  factorDeadline: (time) => `您需要设置第二步验证，${time} 之后登录时将要求设置。`,
  users: '用户',
  usersWithoutFactor: '未设置第二步验证',
  liveSessions: '在线会话',
  signIns24h: '24 小时内登录',
  refusals24h: '24 小时内拒绝',
  hours: '每小时登录次数',
  since: (time) => `自 ${time} 起`,
  noSignIns: '这段时间没有登录。',
  busiest: (hour, count) => `${hour} 起的一小时最多：${count} 次。柱形中只有边框的部分表示被拒绝的登录。`,
  hour: (hour, signIns, refusals) => `${hour}：登录 ${signIns} 次，拒绝 ${refusals} 次`,
  lacks: '设置此安装',
  doneOf: (done, all) => `已完成 ${done}/${all}`,
  done: '（已完成）',
  doneWith: (value) => `（已完成：${value}）`,
  isSet: '已设置；邮件能否送达，请发送测试',
  howToTest: '如何发送测试邮件',
  elsewhere: (here) => spaced`您当前的地址是 ${here}：通行密钥只能在公开地址使用，邮件中的链接也指向该地址。`,
  howTo: '如何设置',
  inConfiguration: (file, inContainer) =>
    `写入${inContainer ? '容器中的' : ''} ${file}，如有同名项则替换，然后重启${inContainer ? '容器' : '服务'}。`,
  ownPassword: '自己的密码',
  ownPasswordHint: '第一位管理员仍在使用首次启动时的密码。',
  changeIt: '修改密码',
  publicUrl: '公开地址',
  publicUrlHint: '通行密钥和邮件中的链接需要它：未设置 publicUrl 时，邀请邮件只有验证码，没有链接。',
  mail: '邮件服务器',
  mailHint: '没有它，无法通过邮件邀请用户或重置密码。',
  testMail: '之后可发送测试邮件：',
  mailFailed: (time, reason) => `邮件已设置，但最近一封邮件在 ${time} 未能送达：${reason}。`,
  sms: '短信',
  smsFailed: (time, reason) => `短信已设置，但最近一条短信在 ${time} 未能送达：${reason}。`,
  failures: {
    noConnection: '无法连接服务器',
    timeout: '服务器未及时响应',
    signIn: '服务器拒绝了用户名或密码',
    refused: '服务器拒绝了消息',
    other: '原因见日志',
  },
  failedWith: (reason, status) => `${reason}（${status}）`,
  findOut: '如何查明原因',
  phoneRegion: '手机号所属的国家或地区',
  phoneRegionHint: (country) =>
    `尚未设置，因此未带国家代码的号码须为${country}手机号。请填写国家或地区的两个字母，例如 CN 或 GB；设为 null 则每个号码都须带国家代码。`,
  everyCode: '每个号码都带国家代码',
  administratorFactor: '每位系统管理员的第二步验证',
  administratorFactorHint: '系统管理员的密码一旦被盗，一切都会暴露。身份验证器或通行密钥均可。',
  showThem: '查看这些管理员',
  setItUp: '现在设置',
  backup: '最近几天的备份',
  backupHint: '没有备份，磁盘损坏会让所有账号丢失。',
  inShell: ({ folder, inContainer }) =>
    folder !== undefined
      ? `以服务的用户身份在${inContainer ? '容器的' : ''}文件夹 ${folder} 中执行。`
      : inContainer
        ? '在容器所在的机器上执行；“exec”之后是容器的名称。'
        : '以服务的用户身份执行。',
  everyNight: ({ folder, inContainer }) =>
    [
      folder !== undefined
        ? `每晚由 cron 或定时器以服务的用户身份在${inContainer ? '容器的' : ''}文件夹 ${folder} 中执行。`
        : inContainer
          ? '每晚由容器所在机器的 cron 或定时器执行；“exec”之后是容器的名称。'
          : '每晚由 cron 或定时器以服务的用户身份执行。',
      '在 crontab 中每个 % 要写成 \\%。文件请保存在另一台机器上。',
    ].join(''),
}
