import { Completions } from "effect/cli"
import { knownFlags } from "./completing.ts"

const bash = `
_parley_values() {
  _parley "$@"
  local -a line
  read -ra line <<< "\${COMP_LINE:0:COMP_POINT}"
  [[ "\${COMP_LINE:0:COMP_POINT}" == *[[:space:]] ]] && line+=("")
  local word="\${line[\${#line[@]}-1]}" current="\${COMP_WORDS[COMP_CWORD]}"
  [[ "$word" == --*=* ]] || { [[ \${#COMPREPLY[@]} -eq 0 && "$word" != -* ]] || return 0; }
  [[ "$current" == "=" ]] && current=""
  local typed="$word"
  [[ "$typed" == --*=* ]] && typed="\${typed#*=}"
  # What stands before a word break stays on the line.
  local kept="\${typed%"$current"}" value
  while IFS= read -r value; do
    [[ "$value" == "$typed"* ]] && COMPREPLY+=("\${value#"$kept"}")
  done < <("\${line[0]}" complete -- "\${line[@]:1}" 2>/dev/null)
  return 0
}

complete -F _parley_values parley
`

const zsh = `
_parley_values() {
  local -a line=("\${(@)words[1,CURRENT]}") values
  # Where a value may stand, values come first: there are always flags to offer.
  if (( CURRENT > 3 )) && [[ "\${line[-1]}" != -* || "\${line[-1]}" == --*=* ]]; then
    values=(\${(f)"$("\${line[1]}" complete -- "\${(@)line[2,-1]}" 2>/dev/null)"})
    if (( \${#values} )); then
      compset -P '--*='
      compadd -- "\${values[@]}"
      return 0
    fi
  fi
  _parley "$@"
}
`

/** The values of a flag are offered where one of them is typed, and the flag itself by the command that has it. */
const fishFlag = (flag: string) =>
  `complete -c parley -n 'contains -- --${flag} (commandline -opc)[-1]; or string match -q -- "--${flag}=*" (commandline -ct)' -l ${flag} -x -a '(__parley_values)'`

const fish = `
function __parley_values
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  test -n "$current"; or set current ""
  $words[1] complete -- $words[2..-1] "$current" 2>/dev/null
end
complete -c parley -n 'test (count (commandline -opc)) -gt 2; and not string match -q -- "-*" (commandline -ct)' -f -a '(__parley_values)'
${knownFlags.map(fishFlag).join("\n")}
`

const beforeEnd = (script: string, more: string) => script.replace(/\n###-end-/, () => `${more}\n###-end-`)

/** A completion script that also asks this program for values: organizations, ids, names of profiles. */
export const completionScript = (shell: Completions.Shell, tree: Completions.CommandDescriptor): string => {
  const script = Completions.generate("parley", shell, tree)
  switch (shell) {
    case "bash":
      return beforeEnd(script, bash)
    case "fish":
      return beforeEnd(script, fish)
    case "zsh":
      return script
        .replace("# Handle both direct invocation and autoload", (line) => `${zsh.trim()}\n\n${line}`)
        .replace(
          '  _parley "$@"\nelse\n  compdef _parley parley',
          () => '  _parley_values "$@"\nelse\n  compdef _parley_values parley'
        )
    case "powershell":
      return script
  }
}
