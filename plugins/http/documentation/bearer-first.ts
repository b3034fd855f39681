/**
 * A script for Swagger UI, whose dialog **Authorize** puts the cursor into its last field: that of services, where the password
 * of a person does nothing. Puts it into the field of the access token.
 */
export const bearerFirst = `let focused
new MutationObserver(() => {
  const field = document.querySelector('#auth-bearer-value')
  if (field && field !== focused) field.focus()
  focused = field
}).observe(document.documentElement, { childList: true, subtree: true })
`
