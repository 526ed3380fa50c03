import { assert, describe, it } from "@effect/vitest"
import { whatsAppFact, type WhatsAppFact, whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { Effect, Predicate, type Schema } from "effect"
import { fieldsIn } from "./fields.ts"
import { absent, assumed, omitted, setups } from "./simulatorSetups.ts"
import {
  accountId,
  adapted,
  app,
  type Call,
  callback,
  createTemplate,
  makeWorld,
  phoneId,
  templateNameIn,
  type World
} from "./simulatorWorld.ts"

/** The template of a message in the corpus is the creation with the same name. */
const prepareTemplate = Effect.fnUntraced(function* (world: World, fact: WhatsAppFact<"requests">) {
  const name = templateNameIn(fact)
  if (name !== "") yield* createTemplate(world, name.replaceAll("_", "-"))
})

const paths: Readonly<Record<string, string>> = {
  "{phone_number_id}": phoneId,
  "{waba_id}": accountId,
  "{app_id}": app.appId,
  "{business_id}": `7${accountId.slice(1)}`
}

const replaced = (text: string, values: Readonly<Record<string, string>>) =>
  Object.entries(values).reduce((left, [from, to]) => left.replaceAll(from, to), text)

const bodyOf = Effect.fnUntraced(function* (world: World, { body, encoding }: WhatsAppFact<"requests">) {
  if (body === null) return {}
  if (encoding === "base64") return { body: new Uint8Array(Buffer.from(String(body), "base64")) }
  return { body: yield* adapted(world, body), headers: { "content-type": "application/json" } }
})

const formOf = (body: Schema.Json): FormData => {
  const form = new FormData()
  for (const [key, value] of Object.entries(Predicate.isObject(body) ? body : {})) {
    if (typeof value === "string") form.set(key, value)
    else if (Predicate.isObject(value) && "base64" in value) {
      const bytes = new Uint8Array(Buffer.from(String(value.base64), "base64"))
      form.set(key, new Blob([bytes], { type: String("type" in value ? value.type : "") }), "file")
    }
  }
  return form
}

/** Sends a request of the corpus to a simulator in the state that the request needs. */
const answerTo = Effect.fnUntraced(function* (fact: WhatsAppFact<"requests">) {
  const setup = setups[fact.name] ?? {}
  const world = yield* makeWorld(setup.stage ?? "registered")
  const values = { ...paths, ...(setup.prepare === undefined ? {} : yield* setup.prepare(world)) }
  if (setup.prepare === undefined) yield* prepareTemplate(world, fact)
  const query = fact.query === undefined ? "" : `?${new URLSearchParams(fact.query)}`
  const sent: Omit<Call, "method" | "path"> =
    fact.encoding === "multipart" ? { body: formOf(fact.body) } : yield* bodyOf(world, fact)
  const url = yield* callback
  const body = typeof sent.body === "string" ? replaced(sent.body, { ...values, ...hooksAt(url) }) : sent.body
  const headers = {
    ...sent.headers,
    ...replacedHeaders(fact.headers ?? {}),
    ...(setup.token === undefined ? {} : { authorization: `Bearer ${setup.token}` })
  }
  const path = replaced(`${fact.path}${query}`, values)
  return yield* world.call({ method: fact.method, path, headers, ...(body === undefined ? {} : { body }) })
}, Effect.scoped)

const hooksAt = (url: string) => ({
  "https://hooks.luckyshrub.com/whatsapp": url,
  "https://hooks.luckyshrub.com/number": url
})

const replacedHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace("{access_token}", "EAAcorpus")])
  )

describe("The simulator", () => {
  it.live.each(whatsAppFacts("requests").filter(({ name }) => !Object.hasOwn(omitted, name)))(
    "answers like the provider: $name",
    (fact) =>
      Effect.gen(function* () {
        const expected = whatsAppFact("answers", fact.answer)
        const { body, status } = yield* answerTo(fact)
        assert.strictEqual(status, expected.status, JSON.stringify(body))
        const own = assumed[fact.name] ?? []
        const known = new Set([...fieldsIn(expected.body), ...own])
        const surplus = [...new Set(fieldsIn(body))].filter((field) => !known.has(field))
        assert.deepStrictEqual(surplus, [])
        const missing = absent[fact.name] ?? []
        const wanted = Object.keys(expected.body ?? {}).filter((field) => !missing.includes(field))
        if (own.length === 0 && wanted.length > 0) assert.containsAllKeys(body, wanted)
      })
  )
})
