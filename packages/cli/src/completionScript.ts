/** Shells with a completion script. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const
export type Shell = (typeof shells)[number]

const bash = `_parley() {
  local -a line
  read -ra line <<< "\${COMP_LINE:0:COMP_POINT}"
  [[ "\${COMP_LINE:0:COMP_POINT}" == *[[:space:]] ]] && line+=("")
  local word="\${line[\${#line[@]}-1]}" current="\${COMP_WORDS[COMP_CWORD]}"
  [[ "$current" == "=" ]] && current=""
  local typed="$word"
  [[ "$typed" == --*=* ]] && typed="\${typed#*=}"
  # Bash replaces only the part of the word after its last word break.
  local kept="\${typed%"$current"}" value
  COMPREPLY=()
  while IFS= read -r value; do
    value="\${value%%$'\\t'*}"
    [[ "$value" == "$typed"* ]] && COMPREPLY+=("\${value#"$kept"}")
  done < <("\${line[0]}" complete -- "\${line[@]:1}" 2>/dev/null)
  return 0
}

complete -F _parley parley`

const zsh = `#compdef parley
_parley() {
  local -a line=("\${(@)words[1,CURRENT]}") found values descriptions
  found=(\${(f)"$("\${line[1]}" complete -- "\${(@)line[2,-1]}" 2>/dev/null)"})
  (( \${#found} )) || { _files; return; }
  values=("\${(@)found%%$'\\t'*}")
  descriptions=("\${(@)found//$'\\t'/  -- }")
  compset -P '--*='
  compadd -l -d descriptions -- "\${values[@]}"
}

if [ "\${funcstack[1]}" = "_parley" ]; then
  _parley "$@"
else
  compdef _parley parley
fi`

const fish = `function __parley_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  test -n "$current"; or set current ""
  set -l prefix (string match -r -- '^--[^=]*=' "$current")
  for found in ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
    echo -- "$prefix$found"
  end
end
complete -c parley -f -a '(__parley_complete)'`

const powershell = `Register-ArgumentCompleter -Native -CommandName parley -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.ToString() })
  & parley complete -- @words "$word" 2>$null | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if ($value -like "$word*") {
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $(if ($description) { $description } else { $value }))
    }
  }
}`

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell }

/** A completion script: it asks this program for each completion, so it stays small and never becomes outdated. */
export const completionScript = (shell: Shell): string => scripts[shell]
