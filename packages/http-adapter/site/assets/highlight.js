/** @typedef {ReadonlyArray<readonly [name: string, pattern: string]>} Grammar */

// A shell string can contain commands and defaults with nested quotes.
const shellCommand = String.raw`\$\((?:[^()"'\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")*\)`
const shellDefault = String.raw`\$\{(?:[^{}"$]|${shellCommand})*\}`
const shellString = String.raw`"(?:[^"\\$]|\\.|${shellCommand}|${shellDefault}|\$)*"|'[^']*'`

/** @type {Record<string, Grammar>} */
const grammars = {
  json: [
    ["key", String.raw`"(?:[^"\\]|\\.)*"(?=\s*:)`],
    ["string", String.raw`"(?:[^"\\]|\\.)*"`],
    ["number", String.raw`-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b`],
    ["word", String.raw`\b(?:true|false|null)\b`]
  ],
  bash: [
    ["comment", String.raw`(?<=^|\s)#.*`],
    ["variable", String.raw`\$\{?\w+\}?`],
    ["command", String.raw`(?<=^|[|(]\s*)\b(?:curl|export|npm|npx|parley|jq|echo|while|do|done|sleep|openssl)\b`],
    ["option", String.raw`(?<=\s)--?[A-Za-z][\w-]*`],
    ["method", String.raw`\b(?:GET|POST|PUT|PATCH|DELETE)\b`],
    ["string", shellString]
  ],
  http: [
    ["method", String.raw`^(?:GET|POST|PUT|PATCH|DELETE)\b|^HTTP/[\d.]+ \d{3}.*`],
    ["key", String.raw`^[\w-]+(?=:)`],
    ["string", String.raw`"(?:[^"\\]|\\.)*"`]
  ],
  ts: [
    ["comment", String.raw`//.*`],
    ["string", "\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|`[^`]*`"],
    [
      "word",
      String.raw`\b(?:import|from|const|let|await|async|for|of|if|else|while|return|new|function|export|true|false|null)\b`
    ],
    ["number", String.raw`\b\d+(?:\.\d+)?\b`]
  ]
}

const matchers = new Map(
  Object.entries(grammars).map(([language, grammar]) => [
    language,
    new RegExp(grammar.map(([name, pattern]) => `(?<${name}>${pattern})`).join("|"), "gm")
  ])
)

/**
 * The code as nodes, its parts marked by what they are. What it says is not changed.
 *
 * @param {string} code
 * @param {string} language
 */
export const highlight = (code, language) => {
  const fragment = document.createDocumentFragment()
  const matcher = matchers.get(language === "sh" ? "bash" : language)
  if (matcher === undefined) {
    fragment.append(code)
    return fragment
  }
  let from = 0
  for (const match of code.matchAll(matcher)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? ""
    const mark = document.createElement("span")
    mark.className = `hl-${kind}`
    mark.textContent = match[0]
    fragment.append(code.slice(from, match.index), mark)
    from = match.index + match[0].length
  }
  fragment.append(code.slice(from))
  return fragment
}
