import type { Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { shellWords } from "./shellWords.ts"

/** A call that a page shows. */
export interface ShownCall {
  /** The position in the page. */
  readonly at: number
  /** The method and the path, with `{}` for each parameter. */
  readonly shape: string
  /** The JSON body as the shell command has it. */
  readonly body: string | null
}

/** Schemas of the requests and answers in the contract. */
export interface CallSchemas {
  readonly payload: Schema.Top | undefined
  readonly success: Schema.Top | undefined
}

/** The path without its prefix and without the names of its parameters. */
export const shapeOfPath = (path: string) => path.replace(/^\/api\/v1(?=\/)/, "").replaceAll(/:\w+|\{\w+\}/g, "{}")

const found = new Map<string, CallSchemas>()

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, successes }) => {
    const payload = endpoint.payload.get("application/json")
    found.set(`${endpoint.method} ${shapeOfPath(endpoint.path)}`, {
      payload: payload?.encoding._tag === "Json" ? payload.schemas[0] : undefined,
      success: Array.from(successes.values())[0]?.[0]
    })
  }
})

/** The schemas of each call of the contract, by its shape. */
export const schemasByShape: ReadonlyMap<string, CallSchemas> = found

const quoted = String.raw`'[^']*'|"(?:[^"\\]|\\.)*"`

const commands = new RegExp(String.raw`\b(?:curl|api)\b(?:${quoted}|\\.|\\\n|[^\n\\'"|;])*`, "gs")

const paths = /(?<!PARLEY=)(?:\$PARLEY|http:\/\/127\.0\.0\.1:8787)(\/[^\s"?)]+)/g

const bodies = new RegExp(String.raw` -d (?:\\\n\s*)?((?:${quoted}|\$\([^)]*\)|[^\s'")])+)`, "s")

const someId = "01934f6e-8c2b-7d10-9f3a-5b1c2d3e4f50"

const valuesOfVariables = { $EMAIL: "ada@example.com", $CHALLENGE: "c".repeat(43), $POSITION: "7" }

/** The body with a valid value for each variable; `null` if the shell puts fields in, because the page shows only a part then. */
const bodyOf = (text: string): string | null => {
  const known = Object.entries(valuesOfVariables).reduce((all, [name, value]) => all.replaceAll(name, value), text)
  return /[,{]\s*\$\w+/.test(known) ? null : known.replaceAll(/\$\(.*?\)|\$\w+/g, someId)
}

const callsInCommand = (command: string, at: number): ReadonlyArray<ShownCall> =>
  Array.from(command.matchAll(paths), ([, path = ""]) => {
    const method = /-X (\w+)/.exec(command)?.[1] ?? (/ (?:-d|--data\S*) /.test(command) ? "POST" : "GET")
    const shape = shapeOfPath(path).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\$\(.*$|\$\w+/g, "{}")
    const [word] = shellWords(bodies.exec(command)?.[1] ?? "")
    return { at, shape: `${method} ${shape}`, body: word === undefined ? null : bodyOf(word) }
  })

const shellBlocks = /^```(?:sh|bash)[^\n]*\n(.*?)\n```$/gms

/** The calls in the shell commands of a page. */
export const callsInShell = (source: string): ReadonlyArray<ShownCall> =>
  Array.from(source.matchAll(shellBlocks)).flatMap((block) =>
    Array.from((block[1] ?? "").matchAll(commands)).flatMap((command) =>
      callsInCommand(command[0], block.index + command.index)
    )
  )

/** The calls that the text of a page names. */
export const callsInText = (source: string): ReadonlyArray<ShownCall> =>
  Array.from(source.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`\s]+)`/g), ({ 1: method, 2: path = "", index }) => ({
    at: index,
    shape: `${method} ${shapeOfPath(path)}`,
    body: null
  }))
