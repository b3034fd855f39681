declare module '*.css'
declare module '*?worker&url' {
  const address: string
  export default address
}
interface ImportMeta {
  /** By Vite: a function for each file that the pattern finds, which loads it. */
  glob: <Module>(pattern: string) => Record<string, () => Promise<Module>>
}
