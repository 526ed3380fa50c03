import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { startChatSimulator } from "@parley/simulators/chat"
import { whatsAppFact, whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { Effect, Schema } from "effect"
import { messageOut } from "../src/chat/whatsapp/outgoing.ts"
import { freeFormFacts } from "../test/chat/outgoingFacts.ts"
import { runProgram } from "./tools.ts"

const Ids = Schema.Array(Schema.String)

const Call = Schema.Struct({
  client: Schema.String,
  name: Schema.String,
  request: Schema.optionalKey(Schema.Struct({ method: Schema.String, path: Schema.String, body: Schema.Json })),
  status: Schema.optionalKey(Schema.Int),
  answer: Schema.optionalKey(Schema.Json),
  /** Media id of the client's upload. */
  uploaded: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String)
})
type Call = typeof Call.Type

const Report = Schema.Struct({
  calls: Schema.Array(Call),
  readings: Schema.Array(
    Schema.Struct({
      client: Schema.String,
      name: Schema.String,
      messages: Ids,
      statuses: Ids,
      error: Schema.optionalKey(Schema.String)
    })
  )
})

const number = {
  phoneId: "106540352242922",
  businessId: "102290129340398",
  displayPhone: "15550783881",
  accessToken: "EAAforeignclients",
  isCallingEnabled: true,
  hasCatalog: true
}

const secret = "an app secret"
const version = "v27.0"
const customer = "16505551234"

/** Fields with a default value that a client can leave out or add. */
const withoutDefaults = (value: Schema.Json): Schema.Json => {
  if (Array.isArray(value)) return value.map(withoutDefaults)
  if (typeof value !== "object" || value === null) return value
  const isDefault = (key: string, field: Schema.Json) =>
    (key === "preview_url" && field === false) ||
    (key === "recipient_type" && field === "individual") ||
    (key === "policy" && field === "deterministic")
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, field]) => !isDefault(key, field))
      .map(([key, field]) => [key, key === "parameter_format" ? String(field).toLowerCase() : withoutDefaults(field)])
  )
}

const replaceIn = (body: Schema.Json, from: string, to: string): Schema.Json =>
  JSON.parse(JSON.stringify(body).replaceAll(from, to))

const textIn = (body: Schema.Json, ...path: ReadonlyArray<string>): string => {
  const value = path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    body
  )
  return typeof value === "string" ? value : assert.fail(`No text at ${path.join(".")}`)
}

/** Identifiers of the corpus, which the simulator replaces with its own. */
const idsOfCorpus = {
  message: textIn(whatsAppFact("requests", "mark-read").body, "message_id"),
  user: textIn(whatsAppFact("requests", "send-text-to-user-id").body, "recipient"),
  image: textIn(whatsAppFact("requests", "send-image-id").body, "image", "id")
}

const drive = Effect.gen(function* () {
  const simulator = yield* startChatSimulator({
    numbers: [number],
    webhook: { url: "http://127.0.0.1:9/", appSecret: secret },
    attempts: 1,
    pairMillis: 0,
    reviewMillis: 0
  })
  const message = simulator.write(number.phoneId, customer, { type: "text", text: "Ça va? a/b 🥐" })
  const user = simulator.addCustomer(null, "Zoë 🥐")
  simulator.write(number.phoneId, user, { type: "text", text: "No phone" })
  const adapted = (body: Schema.Json) =>
    replaceIn(replaceIn(body, idsOfCorpus.message, message), idsOfCorpus.user, user)
  const requests = Object.fromEntries(whatsAppFacts("requests").map(({ body, name }) => [name, adapted(body)]))
  const question = {
    url: simulator.url,
    token: number.accessToken,
    secret,
    version,
    phoneId: number.phoneId,
    accountId: number.businessId,
    imageId: idsOfCorpus.image,
    requests,
    webhooks: whatsAppFacts("webhooks").map(({ body, name }) => ({ name, body }))
  }
  const report = yield* runProgram("clientsProgram.mjs", question, Report)
  const toCorpus = ({ request, uploaded = "" }: Call): Schema.Json =>
    [[message, idsOfCorpus.message] as const, [user, idsOfCorpus.user] as const, [uploaded, idsOfCorpus.image] as const]
      .filter(([id]) => id !== "")
      .reduce((body, [id, corpusId]) => replaceIn(body, id, corpusId), request?.body ?? null)
  return { report, toCorpus }
})

const Item = Schema.Struct({ id: Schema.String })
const Value = Schema.Struct({
  messages: Schema.optionalKey(Schema.Array(Item)),
  message_echoes: Schema.optionalKey(Schema.Array(Item)),
  statuses: Schema.optionalKey(Schema.Array(Item))
})
const Webhook = Schema.Struct({
  entry: Schema.Array(Schema.Struct({ changes: Schema.Array(Schema.Struct({ field: Schema.String, value: Value })) }))
})

const all = whatsAppFacts("webhooks").map(({ body, name }) => {
  const values = Schema.decodeUnknownSync(Webhook)(body).entry.flatMap(({ changes }) =>
    changes.map(({ value }) => value)
  )
  const messages = values.flatMap(({ message_echoes = [], messages = [] }) => [...messages, ...message_echoes])
  const statuses = values.flatMap(({ statuses = [] }) => statuses)
  return { name, messages: messages.map(({ id }) => id), statuses: statuses.map(({ id }) => id), error: undefined }
})

/** The other client reads the first item of the first value of a webhook, and only the field of messages. */
const single = all.filter(
  ({ messages, name, statuses }) => messages.length + statuses.length === 1 && /^(?:message|status)-/u.test(name)
)

/** Files are ids in our requests, also where the corpus has a link. */
const comparable = (value: Schema.Json): Schema.Json => {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key === "link" ? "id" : key, comparable(field)])
  )
}

/** The same message from our own request builder. */
const ourBody = (name: string): Schema.Json => {
  const { biz_opaque_callback_data: _, ...body } = messageOut(freeFormFacts[name] ?? assert.fail(name))
  return withoutDefaults(JSON.parse(JSON.stringify(body)))
}

/** The listing of templates waits for the review, and the form of an upload contains bytes. */
const isCompared = ({ name, request }: Call) =>
  request !== undefined &&
  name !== "upload-media" &&
  !(request.method === "GET" && request.path.endsWith("/message_templates"))

/** Method and path of a call as in the corpus. Clients may leave out the version. */
const operationOf = ({ request, uploaded = "" }: Call): string => {
  const path = (request?.path ?? "")
    .replace(`/${version}/`, "/")
    .replace(number.phoneId, "{phone_number_id}")
    .replace(number.businessId, "{waba_id}")
  return `${request?.method} ${uploaded === "" ? path : path.replace(uploaded, "{media_id}")}`
}

layer(NodeServices.layer, { excludeTestServices: true, timeout: "60 seconds" })("Foreign clients", (it) => {
  it.effect("send the requests of the corpus, as the adapter does", () =>
    Effect.gen(function* () {
      const { report, toCorpus } = yield* drive

      const sent = report.calls.filter(isCompared).map((call) => ({
        client: call.client,
        name: call.name,
        operation: operationOf(call),
        body: withoutDefaults(toCorpus(call))
      }))
      assert.deepStrictEqual(
        sent,
        sent.map(({ client, name }) => {
          const { body, method, path } = whatsAppFact("requests", name)
          return { client, name, operation: `${method} ${path}`, body: withoutDefaults(body) }
        })
      )

      const known = sent.filter(({ name }) => Object.hasOwn(freeFormFacts, name))
      assert.isAbove(known.length, 30)
      assert.deepStrictEqual(
        known.map(({ body, client, name }) => ({ client, name, body: comparable(body) })),
        known.map(({ client, name }) => ({ client, name, body: comparable(ourBody(name)) }))
      )
    }).pipe(Effect.scoped)
  )

  it.effect("send requests that the simulator accepts", () =>
    Effect.gen(function* () {
      const { report } = yield* drive
      const refused = report.calls.filter(({ status }) => status !== 200)
      assert.deepStrictEqual(refused, [])
      assert.sameMembers([...new Set(report.calls.map(({ client }) => client))], ["kapso", "whatsapp-api-js"])
    }).pipe(Effect.scoped)
  )

  it.effect("read the webhooks of the corpus", () =>
    Effect.gen(function* () {
      const { report } = yield* drive
      const readBy = (wanted: string, names: ReadonlySet<string>) =>
        report.readings
          .filter(({ client, name }) => client === wanted && names.has(name))
          .map(({ error, messages, name, statuses }) => ({ name, messages, statuses, error }))
      assert.isAbove(single.length, 60)
      assert.deepStrictEqual(readBy("kapso", new Set(all.map(({ name }) => name))), all)
      assert.deepStrictEqual(readBy("whatsapp-api-js", new Set(single.map(({ name }) => name))), single)
    }).pipe(Effect.scoped)
  )
})
