export { frame } from './frame.ts'

/** The words around the documentation, whose own text is English. */
export const words = {
  title: 'API',
  document: 'Document',
  signIn: 'Sign in',
  signedInAs: 'Signed in as',
  notLoaded: 'The document could not be loaded. Load the page again.',
  lost: 'Loading the page again has signed you out.',
  inTab: 'You are signed in in this tab only: loading the page again signs you out.',
  server: (address: string) => `Requests go to ${address}`,
  about: 'About this document',
  authorization: 'Authorization',
  close: 'Close',
  body: 'Body of the request',
  example: 'Example',
  captcha: 'The captcha',
}
export type DocsWords = typeof words
