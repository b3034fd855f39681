import { useEffect, useState } from 'preact/hooks'
import { toFault, type Fault } from './session/fault.js'

/** What a page shows, while it is being loaded, when it is there, and when it could not be loaded. */
export const useLoaded = <T>(load: () => Promise<T>, keys: readonly unknown[] = []) => {
  const [data, setData] = useState<T>()
  const [fault, setFault] = useState<Fault>()
  const [version, setVersion] = useState(0)
  useEffect(() => {
    let isOld = false
    load().then(
      (loaded) => {
        if (isOld) return
        setData(() => loaded)
        setFault(undefined)
      },
      (error: unknown) => {
        if (!isOld) setFault(toFault(error))
      },
    )
    return () => void (isOld = true)
  }, [version, ...keys])
  return { data, fault, reload: () => setVersion((before) => before + 1), set: setData }
}
