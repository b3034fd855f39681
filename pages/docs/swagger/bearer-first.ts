/**
 * The dialog **Authorize** of Swagger UI puts the cursor into its last field: that of services, where the password of a person does
 * nothing. Puts it into the field of the access token.
 */
export const focusBearer = (page: Element): void => {
  let focused: Element | null = null
  new MutationObserver(() => {
    const field = page.querySelector<HTMLInputElement>('#auth-bearer-value')
    if (field && field !== focused) field.focus()
    focused = field
  }).observe(page, { childList: true, subtree: true })
}
