import { Argument, type Command } from 'commander'

interface Place {
  /** The command as it is typed, without `rollcall`; empty for the program itself. */
  path: string
  words: string[]
  /** The values that an option takes, by its name. */
  values: [option: string, values: readonly string[]][]
}

/** The program and its commands, with what may be typed after each. */
const placesOf = (command: Command, path = ''): Place[] => {
  const { options } = command
  const commands = command.commands.filter((inner) => command.createHelp().visibleCommands(command).includes(inner))
  const flags = options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? [])
  const own: Place = {
    path,
    words: [...commands.map((inner) => inner.name()), ...flags, '--help'],
    values: options
      .flatMap(({ long, argChoices }) => (long && argChoices ? [[long, argChoices] as const] : []))
      .map(([option, values]) => [option, values]),
  }
  return [own, ...commands.flatMap((inner) => placesOf(inner, `${path} ${inner.name()}`.trim()))]
}

const bash = (places: Place[]): string => `_rollcall() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path= word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${places.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path|$previous" in
${places
  .flatMap(({ path, values }) =>
    values.map(([option, list]) => `    '${path}|${option}') words='${list.join(' ')}' ;;\n`),
  )
  .join('')}    *) case "$path" in
${places.map(({ path, words }) => `      '${path}') words='${words.join(' ')}' ;;\n`).join('')}    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _rollcall rollcall
`

const fish = (places: Place[]): string => {
  const lines = places.flatMap(({ path, words, values }) => {
    const line = `complete -c rollcall -n "__rollcall_at '${path}'"`
    const named = words.filter((word) => !word.startsWith('--'))
    return [
      ...(named.length > 0 ? [`${line} -f -a '${named.join(' ')}'`] : []),
      ...words
        .filter((word) => word.startsWith('--'))
        .map((word) => {
          const list = values.find(([option]) => option === word)?.[1]
          return `${line} -l ${word.slice(2)}${list ? ` -x -a '${list.join(' ')}'` : ''}`
        }),
    ]
  })
  return `function __rollcall_at
  set -l words (commandline -opc | string match -v -- '-*')
  set -l path (string split -n ' ' -- $argv[1])
  set -e words[1]
  # The program and groups complete the next word only; a command, also what follows its arguments.
  test (count $words) -ge (count $path); or return 1
  test "$argv[1]" = ''; and return (test (count $words) -eq 0)
  test "$words[1..$(count $path)]" = "$path"
end
${lines.join('\n')}
`
}

const shells: Record<string, (places: Place[]) => string> = {
  bash,
  zsh: (places) => `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash(places)}`,
  fish,
}

export const registerCompletion = (program: Command): void => {
  program
    .command('completion')
    .description('print a script that completes commands in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(shells)))
    .action((shell: string) => {
      process.stdout.write(shells[shell]?.(placesOf(program)) ?? '')
    })
}
