// Keeps the operations of the corpus and their schemas from Meta's published OpenAPI document:
// node extractOpenApi.mjs business-messaging-api_v23.0.yaml > metaOpenApi.json
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parse } from "yaml"

const document = parse(readFileSync(process.argv[2], "utf8"))

/** Names of path parameters in the corpus, by those of the document. */
const parameters = {
  "Phone-Number-ID": "phone_number_id",
  "WABA-ID": "waba_id",
  "Business-ID": "business_id",
  TEMPLATE_ID: "template_id",
  "Media-ID": "media_id",
  "Flow-ID": "flow_id",
  group_id: "group_id"
}

const corpusPath = (path) =>
  path.replace("/{Version}", "").replace(/\{([^}]+)\}/gu, (whole, name) => `{${parameters[name] ?? name}}`)

const root = fileURLToPath(new URL("../../testkit/corpora/whatsapp/requests/", import.meta.url))
const wanted = new Set(
  globSync("*.json", { cwd: root }).map((file) => {
    const { method, path } = JSON.parse(readFileSync(`${root}${file}`, "utf8"))
    return `${method} ${path}`
  })
)

const $ref = (name) => ({ $ref: `#/$defs/${name}` })
const nameIn = (ref) => ref.slice(ref.lastIndexOf("/") + 1)
const when = (condition, then, otherwise) => ({ if: condition, then, else: otherwise })

/** One error instead of one per alternative: the discriminator selects the schema. */
const selected = ({ propertyName, mapping }) => ({
  properties: { [propertyName]: { enum: Object.keys(mapping) } },
  required: [propertyName],
  allOf: Object.entries(mapping).map(([value, ref]) => ({
    if: { properties: { [propertyName]: { const: value } } },
    then: $ref(nameIn(ref))
  }))
})

const prose = new Set(["description", "example", "examples", "title", "summary", "deprecated", "format"])

/** Drops prose and examples. A part of `allOf` cannot forbid the properties of the other parts. */
const rulesOf = (schema, isMap = false, isPart = false) => {
  if (Array.isArray(schema)) return schema.map((each) => rulesOf(each))
  if (typeof schema !== "object" || schema === null) return schema
  if (!isMap && schema.discriminator !== undefined && schema.oneOf !== undefined) return selected(schema.discriminator)
  const kept = Object.entries(schema).filter(
    ([key]) => isMap || !(prose.has(key) || key === "discriminator" || (isPart && key === "additionalProperties"))
  )
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (key === "$ref" && typeof value === "string") return [key, $ref(nameIn(value)).$ref]
      if (key === "allOf" && !isMap) return [key, value.map((part) => rulesOf(part, false, true))]
      return [key, rulesOf(value, key === "properties" && !isMap)]
    })
  )
}

const schemaIn = (content) => content?.["application/json"]?.schema ?? content?.["multipart/form-data"]?.schema

const operations = {}
for (const [path, item] of Object.entries(document.paths)) {
  for (const method of ["get", "post", "delete"]) {
    const operation = item[method]
    const name = `${method.toUpperCase()} ${corpusPath(path)}`
    if (operation === undefined || !wanted.has(name)) continue
    const request = schemaIn(operation.requestBody?.content)
    const answer = schemaIn(operation.responses["200"]?.content)
    operations[name] = {
      ...(request === undefined ? {} : { request: rulesOf(request) }),
      ...(answer === undefined ? {} : { answer: rulesOf(answer) })
    }
  }
}

/** The document was merged from several: references of webhooks lead to the schemas of requests with the same name. */
const ofWebhooks = {
  BaseMessageProperties: "BaseMessageProperties_1",
  TextMessage: "TextMessage_2",
  ContactObject: "ContactObject_1",
  ErrorObject: "ErrorObject_2",
  ...Object.fromEntries(
    ["Audio", "Document", "Image", "Location", "Reaction", "Sticker", "Video"].map((kind) => [
      `${kind}Message`,
      `${kind}Message_1`
    ])
  )
}

const ofWebhook = (schema) =>
  JSON.parse(
    JSON.stringify(schema).replace(/"#\/\$defs\/(\w+)"/gu, (_, name) => `"#/$defs/${ofWebhooks[name] ?? name}"`)
  )

const has = (property) => ({ required: [property] })
const value = when(
  has("statuses"),
  $ref("StatusMessageValue"),
  when(
    has("groups"),
    $ref("GroupValue"),
    when(has("contacts"), $ref("IncomingMessageValueGeneral"), $ref("IncomingMessageValueSystem"))
  )
)

operations["POST /{phone_number_id}/messages"].request = when(
  has("status"),
  $ref("MarkMessageRequestPayload"),
  $ref("Message")
)

const $defs = {}
const keep = (schema, adapt) => {
  for (const [, name] of JSON.stringify(schema).matchAll(/#\/\$defs\/(\w+)/gu)) {
    if (name in $defs) continue
    $defs[name] = adapt(rulesOf(document.components.schemas[name]))
    keep($defs[name], adapt)
  }
}
keep(value, ofWebhook)
keep(operations, (schema) => schema)

const provenance = {
  source: "https://github.com/facebook/openapi: business-messaging-api_v23.0.yaml",
  commit: process.argv[3],
  license: "MIT License. Copyright (c) Meta Platforms, Inc. and affiliates. See LICENSE.meta-openapi.",
  changes:
    "Only the operations of the corpus and their schemas, without prose, examples and formats. Discriminators select one schema. References of webhooks lead to schemas of webhooks."
}
process.stdout.write(`${JSON.stringify({ ...provenance, operations, value, $defs }, null, 2)}\n`)
