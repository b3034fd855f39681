/** What this browser keeps under a name; null where there is nothing, or where storage is forbidden. */
export const readStored = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text in this browser; null takes it away. */
export const store = (key: string, text: string | null): void => {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Where storage is forbidden, nothing outlasts the page.
  }
}
