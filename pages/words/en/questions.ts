import type { ComponentChildren } from 'preact'

/** The words of the questions that pages after the sign-in ask, and of whose they are. */
export const questions = {
  confirmItsYou: 'Confirm that it is you',
  askPassword: 'Your sign-in was a while ago. Enter your password to go on.',
  askFactor: 'This change needs your second factor.',
  factors: {
    passkey: 'Use a passkey',
    totp: 'Code from your app',
    recovery: 'Recovery code',
    password: 'Password',
  },
  signInAgain: 'Sign in again',
  notSignedIn: 'You are not signed in: your session has ended. What you have typed here stays.',
  sessionEnded: 'Your session has ended. Sign in again in a second window; what you have typed here stays.',
  otherAccount: (name: ComponentChildren): ComponentChildren => [
    'You are now signed in as ',
    name,
    '. What was not saved before is gone.',
  ],
  leaveTitle: 'Leave this page?',
  leaveChanged: 'What you have changed is not saved, and would be lost.',
  leave: 'Leave',
  stay: 'Stay here',
}

export type QuestionWords = typeof questions
