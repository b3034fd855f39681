/** What this browser keeps under a name; null where there is nothing, or where storage is forbidden. */
export const readStored = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text in this browser; null takes it away. Returns whether the browser lets us. */
export const store = (key: string, text: string | null): boolean => {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    return true
  } catch {
    // Where storage is forbidden, nothing outlasts the page.
    return false
  }
}
