/** The first page. */
export const overview = {
  title: 'Overview',
  noPermission: (name: string) =>
    `You are signed in as ${name}, and that account has no permission for anything here. An administrator can give it a role.`,
  noPage: (name: string) =>
    `You are signed in as ${name}. The roles of that account open no page of the console; ask an administrator.`,
  factorDeadline: (time: string) =>
    `A second factor is required of you before ${time}; after that the sign-in asks for it.`,
  users: 'Users',
  usersWithoutFactor: 'Without a second factor',
  liveSessions: 'Live sessions',
  signIns24h: 'Sign-ins, 24 hours',
  refusals24h: 'Refused, 24 hours',
  hours: 'Sign-ins by hour',
  since: (time: string) => `since ${time}`,
  noSignIns: 'No sign-ins in this time.',
  busiest: (hour: string, count: number) =>
    `Most in the hour from ${hour}: ${count}. The outlined part of a bar shows refused sign-ins.`,
  hour: (hour: string, signIns: number, refusals: number) => `${hour}: ${signIns} sign-ins, ${refusals} refused`,
  lacks: 'Setting up this installation',
  doneOf: (done: number, all: number) => `${done} of ${all} done`,
  done: '– done',
  doneWith: (value: string) => `– done: ${value}`,
  isSet: 'it is set; send a test to see whether mails arrive',
  howToTest: 'How to send a test',
  elsewhere: (here: string) =>
    `You are at ${here}: passkeys work at the public address only, and links in mails lead there.`,
  howTo: 'How to set it',
  inConfiguration: (file: string, inContainer: boolean) =>
    `In ${file}${inContainer ? ' in the container' : ''}; add it, or replace what has this name there. Then restart the ${inContainer ? 'container' : 'service'}.`,
  ownPassword: 'A password of your own',
  ownPasswordHint: 'The first administrator still has the password of the first start.',
  changeIt: 'Change it',
  publicUrl: 'The public address',
  publicUrlHint: 'Passkeys and links in mails need it: until publicUrl is set, an invitation holds a code and no link.',
  mail: 'A mail server',
  mailHint: 'Without one nobody is invited by mail, and nobody can reset a password by mail.',
  testMail: 'To send a test after that:',
  mailFailed: (time: string, reason: string) =>
    `Mail is set, but the last message could not be delivered at ${time}: ${reason}.`,
  sms: 'Text messages',
  smsFailed: (time: string, reason: string) =>
    `A sender is set, but the last message could not be delivered at ${time}: ${reason}.`,
  failures: {
    noConnection: 'there is no connection to the server',
    timeout: 'the server has not answered in time',
    signIn: 'the server refuses the name or the password',
    refused: 'the server refuses the message',
    other: 'the log has the reason',
  },
  failedWith: (reason: string, status: number) => `${reason} (${status})`,
  findOut: 'How to find out',
  phoneRegion: 'The country of phone numbers',
  phoneRegionHint: (country: string) =>
    `None is set, so a number without a country code must be a mobile number of ${country}. Set the two letters of your country, such as CN or GB, or null: then every number needs its code.`,
  everyCode: 'every number has its country code',
  administratorFactor: 'A second factor for each system administrator',
  administratorFactorHint:
    'A stolen password of a system administrator opens everything. An authenticator app or a passkey counts.',
  showThem: 'Show them',
  setItUp: 'Set it up',
  backup: 'A backup of the last days',
  backupHint: 'Without one a broken disk takes all accounts with it.',
  inShell: ({ folder, inContainer }: { folder?: string; inContainer: boolean }) =>
    folder !== undefined
      ? `In the folder ${folder}${inContainer ? ' of the container' : ''}, as the user of the service.`
      : inContainer
        ? 'On the machine of the container; its name comes after “exec”.'
        : 'In a shell, as the user of the service.',
  everyNight: ({ folder, inContainer }: { folder?: string; inContainer: boolean }) =>
    [
      folder !== undefined
        ? `Every night, by cron or a timer, in the folder ${folder}${inContainer ? ' of the container' : ''}, as the user of the service.`
        : inContainer
          ? 'Every night, by cron or a timer on the machine of the container; its name comes after “exec”.'
          : 'Every night, by cron or a timer, as the user of the service.',
      'In a crontab each % is written \\%. Keep the files on another machine.',
    ].join(' '),
}
