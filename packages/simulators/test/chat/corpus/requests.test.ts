import { assert, describe, it } from "@effect/vitest"
import type { RunningChatSimulator } from "@parley/simulators/chat"
import { whatsAppFact, whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { Effect } from "effect"
import { at } from "../harness.ts"
import { adapted, fact, factSimulator, type Request, request } from "./grounds.ts"
import { prepare, type Prepared } from "./prepare.ts"
import { differences } from "./shape.ts"

/** Requests whose answer in the facts has more than the request asks for, with the reason. */
const partialAnswers: ReadonlyMap<string, string> = new Map([
  ["list-numbers", "the answer is an example with more fields"],
  ["list-templates", "the next page exists only for more templates"],
  ["list-templates-by-status", "the next page exists only for more templates"],
  ["create-qr-code", "the image is only in answers to requests for one"],
  ["update-qr-code", "the image is only in answers to requests for one"]
])

const filled = (text: string, { path }: Prepared): string =>
  text
    .replace(/^https:\/\/api\.facebook\.com/u, "")
    .replaceAll(/\{(\w+)\}/gu, (whole, name: string) => path[name] ?? (name === "access_token" ? fact.token : whole))

const bodyOf = Effect.fnUntraced(function* (provider: RunningChatSimulator, sent: Request, { texts }: Prepared) {
  if (sent.body === null) return { body: null, headers: {} }
  if (sent.encoding === "base64") return { body: Buffer.from(String(sent.body), "base64"), headers: {} }
  if (sent.encoding === "multipart") {
    const form = new FormData()
    for (const [name, value] of Object.entries(sent.body as Readonly<Record<string, unknown>>)) {
      if (typeof value === "string") form.set(name, value)
      else {
        const bytes = Buffer.from(String(at(value, "base64")), "base64")
        form.set(name, new Blob([bytes], { type: String(at(value, "type")) }), String(at(value, "name")))
      }
    }
    return { body: form, headers: {} }
  }
  const body = yield* adapted(provider, sent.body, texts)
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
})

describe("Each request of the WhatsApp facts", () => {
  for (const sent of whatsAppFacts("requests")) {
    it.live(`${sent.name} has the answer of the facts`, () =>
      Effect.gen(function* () {
        const { provider, url } = yield* factSimulator
        const prepared = yield* prepare(provider, url, sent)
        const { body, headers } = yield* bodyOf(provider, sent, prepared)
        const query = new URLSearchParams(
          Object.entries(sent.query ?? {}).map(([name, value]) => [name, prepared.texts.get(value) ?? value])
        )
        const path = `${filled(sent.path, prepared)}${query.size === 0 ? "" : `?${query}`}`
        const appToken = { authorization: `Bearer ${fact.app.appId}|${fact.app.appSecret}` }
        const answer = yield* request(provider, sent.method, path, body, {
          ...headers,
          ...(sent.path.endsWith("/subscriptions") ? appToken : {}),
          ...Object.fromEntries(
            Object.entries(sent.headers ?? {}).map(([name, value]) => [name, filled(value, prepared)])
          )
        })
        const expected = whatsAppFact("answers", sent.answer)
        assert.strictEqual(answer.status, expected.status, JSON.stringify(answer.body))
        const found = differences(expected.body, answer.body)
        const isPartial = partialAnswers.has(sent.name)
        assert.deepStrictEqual(isPartial ? found.filter((each) => !each.endsWith("is missing")) : found, [])
      })
    )
  }
})
