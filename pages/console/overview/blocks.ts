/** What to write into config.json, each with the name of what it settles. test/documents/shown-settings.test.ts gives them to the service. */
export const configuration = {
  publicUrl: '"publicUrl": "https://id.example.com"',
  mail: `"mail": {
  "url": "smtp://USER:PASSWORD@smtp.example.com:587",
  "from": "Example <no-reply@example.com>"
}`,
  phoneRegion: '"phoneRegion": "GB"',
}

/** As it is typed in a shell: the copy lies beside the configuration, where the service may write in every kind of installation. */
export const backupCommand = ({ command, configFile }: { command: string; configFile: string }): string => {
  const folder = configFile.replace(/config\.json$/, '')
  const copy = `${folder}rollcall-$(date +%F).db`
  return `${command} backup ${/^[\w./:@-]+$/.test(folder) ? copy : `"${copy}"`}`
}
