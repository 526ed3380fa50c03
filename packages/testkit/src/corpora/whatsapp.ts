import { Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** Facts of the WhatsApp Cloud API, one JSON file each. The README.md in the folder explains the fields. */
const root = join(dirname(createRequire(import.meta.url).resolve("@parley/testkit/package.json")), "corpora/whatsapp/")

const Texts = Schema.Record(Schema.String, Schema.String)

const provenance = {
  source: Schema.NonEmptyString,
  date: Schema.String.check(Schema.isPattern(/^20\d\d-\d\d-\d\d$/u)),
  evidence: Schema.Literals(["official", "second-hand", "unread"]),
  graphVersions: Schema.optionalKey(Schema.NonEmptyArray(Schema.String.check(Schema.isPattern(/^v\d+\.0$/u)))),
  note: Schema.optionalKey(Schema.NonEmptyString)
}

const entrySchemas = {
  requests: Schema.Struct({
    ...provenance,
    method: Schema.Literals(["GET", "POST", "DELETE"]),
    path: Schema.NonEmptyString,
    query: Schema.optionalKey(Texts),
    headers: Schema.optionalKey(Texts),
    encoding: Schema.optionalKey(Schema.Literals(["multipart", "base64"])),
    body: Schema.Json,
    answer: Schema.NonEmptyString
  }),
  answers: Schema.Struct({
    ...provenance,
    status: Schema.Int,
    headers: Schema.optionalKey(Texts),
    body: Schema.Json
  }),
  webhooks: Schema.Struct({ ...provenance, body: Schema.Json }),
  errors: Schema.Struct({
    ...provenance,
    code: Schema.Int,
    subcode: Schema.optionalKey(Schema.Int),
    form: Schema.Literals(["answer", "webhook"]),
    retry: Schema.optionalKey(Schema.Literals(["never", "backoff", "later", "repair"])),
    stops: Schema.optionalKey(Schema.Literals(["account", "campaigns", "recipient"])),
    status: Schema.optionalKey(Schema.Int),
    body: Schema.Json
  }),
  signup: Schema.Struct({ ...provenance, body: Schema.Json })
} as const

export type WhatsAppFactKind = keyof typeof entrySchemas

export type WhatsAppFact<Kind extends WhatsAppFactKind> = (typeof entrySchemas)[Kind]["Type"] & {
  readonly name: string
}

export const whatsAppFactKinds: ReadonlyArray<WhatsAppFactKind> = [
  "requests",
  "answers",
  "webhooks",
  "errors",
  "signup"
]

/** Reads one fact. Fails if the file does not have the fields of its kind. */
export const whatsAppFact = <Kind extends WhatsAppFactKind>(kind: Kind, name: string): WhatsAppFact<Kind> => {
  const schema: Schema.Codec<(typeof entrySchemas)[Kind]["Type"], unknown> = entrySchemas[kind]
  const decode = Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })
  return { ...decode(JSON.parse(readFileSync(`${root}${kind}/${name}.json`, "utf8"))), name }
}

/** Reads all facts of one kind, in the order of their names. */
export const whatsAppFacts = <Kind extends WhatsAppFactKind>(kind: Kind): ReadonlyArray<WhatsAppFact<Kind>> =>
  readdirSync(`${root}${kind}`)
    .filter((file) => file.endsWith(".json"))
    .toSorted()
    .map((file) => whatsAppFact(kind, file.slice(0, -".json".length)))
